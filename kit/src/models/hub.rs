//! Where the hub is, what it offers, and where its files are kept on this machine: in the layout that the hub's own tools
//! share, so that a model is never downloaded twice.

use hf_hub::{
    Cache,
    api::sync::{Api, ApiBuilder, ApiError},
};
use std::path::{Path, PathBuf};

use crate::{Error, Result};

/// Files that a model needs besides its `.safetensors`, where the repository has them.
const WANTED: [&str; 6] = [
    "config.json",
    "generation_config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "chat_template.jinja",
    "model.safetensors.index.json",
];

/// The hub and the folder for its files.
pub struct Hub {
    cache: Cache,
    endpoint: String,
    /// Use only what is on this machine.
    pub offline: bool,
}

/// One file of a repository as the hub describes it.
pub(super) struct Remote {
    pub(super) file: String,
    pub(super) url: String,
    pub(super) commit: String,
    /// The SHA-256 of a large file; something else for a small one.
    pub(super) etag: String,
    pub(super) bytes: u64,
}

impl Hub {
    /// As `HF_HOME`, `HF_ENDPOINT` and `HF_HUB_OFFLINE` say. Errors: no place for files is known.
    pub fn from_env() -> Result<Self> {
        let set = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
        let cache = match (set("HF_HOME"), std::env::home_dir()) {
            (Some(home), _) => PathBuf::from(home).join("hub"),
            (None, Some(home)) => home.join(".cache/huggingface/hub"),
            (None, None) => return Err(Error::Other("there is no home folder for models; set HF_HOME".into())),
        };
        let endpoint = set("HF_ENDPOINT").unwrap_or("https://huggingface.co".into());
        let offline =
            set("HF_HUB_OFFLINE").is_some_and(|on| !["0", "false", "no", "off"].contains(&&*on.to_lowercase()));
        Ok(Self { offline, ..Self::new(endpoint, cache) })
    }

    /// The hub at `endpoint`, with its files below `cache`.
    pub fn new(endpoint: impl Into<String>, cache: impl Into<PathBuf>) -> Self {
        let endpoint = endpoint.into().trim_end_matches('/').to_string();
        Self { cache: Cache::new(cache.into()), endpoint, offline: false }
    }

    /// The folder of a model that was fetched. Errors: it was not, with the command that does it.
    pub fn folder(&self, name: &str, repository: &str) -> Result<PathBuf> {
        let config = self.cache.model(repository.to_string()).get("config.json");
        config.as_deref().and_then(Path::parent).map(PathBuf::from).ok_or_else(|| {
            let how = if self.offline {
                "with a network, and without --offline or HF_HUB_OFFLINE, run"
            } else {
                "fetch it first"
            };
            Error::Other(format!("{name} is not on this machine yet; {how}: cargo xtask fetch {name}"))
        })
    }

    /// The files of a repository that a model needs. Errors: a sentence with the hub's address.
    pub(super) fn list(&self, repository: &str) -> Result<Vec<Remote>> {
        let unreachable = |e: ApiError| {
            Error::Other(format!(
                "the hub at {} gives no answer about {repository}: {e}; what has arrived is kept, try again later",
                self.endpoint
            ))
        };
        // Public models need no login, so no token is read or sent.
        let api = ApiBuilder::from_cache(self.cache.clone())
            .with_endpoint(self.endpoint.clone())
            .with_token(None)
            .build()
            .map_err(unreachable)?;
        let model = api.model(repository.to_string());
        let names = model.info().map_err(unreachable)?.siblings.into_iter().map(|sibling| sibling.rfilename);
        let wanted: Vec<String> = names.filter(|file| WANTED.contains(&file.as_str()) || is_weights(file)).collect();
        for needed in ["config.json", "tokenizer.json"] {
            if !wanted.iter().any(|file| file == needed) {
                return Err(Error::Other(format!(
                    "{repository} has no {needed}, so it is not a model this course can run"
                )));
            }
        }
        wanted.into_iter().map(|file| describe(&api, model.url(&file), file).map_err(unreachable)?).collect()
    }

    pub(super) fn blob(&self, repository: &str, etag: &str) -> PathBuf {
        self.cache.model(repository.to_string()).blob_path(etag)
    }

    pub(super) fn snapshot(&self, repository: &str, commit: &str) -> PathBuf {
        self.cache.model(repository.to_string()).pointer_path(commit)
    }

    /// Makes a snapshot the one that [`Hub::folder`] finds.
    pub(super) fn publish(&self, repository: &str, commit: &str) -> std::io::Result<()> {
        self.cache.model(repository.to_string()).create_ref(commit)
    }
}

/// What the hub says about a file. Commit and etag become file names, so they may only be letters, digits and dashes.
fn describe(api: &Api, url: String, file: String) -> std::result::Result<Result<Remote>, ApiError> {
    let metadata = api.metadata(&url)?;
    let (commit, etag) = (metadata.commit_hash().to_string(), metadata.etag().trim_start_matches("W/").to_string());
    for (name, value) in [("commit", &commit), ("etag", &etag)] {
        if value.is_empty() || !value.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') {
            return Ok(Err(Error::Other(format!("the hub gives {file} the {name} {value:?}, which is not a hash"))));
        }
    }
    Ok(Ok(Remote { file, url, commit, etag, bytes: metadata.size() as u64 }))
}

fn is_weights(file: &str) -> bool {
    file.ends_with(".safetensors") && !file.contains(['/', '\\']) && !file.starts_with('.')
}
