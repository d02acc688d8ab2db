//! The merge of a new version into a learner's files: in go three trees, out comes the tree they make together and what
//! happened to every answer. Nothing is written but blobs.

use std::collections::{BTreeMap, BTreeSet};

use super::answers::{self, Answer, Stub, Written};
use super::git::{Entry, Git, Tree};
use crate::manifest::TaskId;

/// The three trees of an update.
pub struct Sides<'a> {
    /// What the learner once started from.
    pub base: &'a Tree,
    /// What the learner has.
    pub ours: &'a Tree,
    /// The new version.
    pub theirs: &'a Tree,
    /// The learner's packages: `week1`, `extensions`, …
    pub packages: &'a [String],
}

/// What an update makes of them.
#[derive(Default)]
pub struct Merged {
    /// All files.
    pub tree: Tree,
    /// New versions to read beside files of the learner that stay as they are: `week1/src/a.rs` → the blob.
    pub beside: BTreeMap<String, Entry>,
    /// Answers that are in the files of `tree`.
    pub kept: Vec<Answer>,
    /// Answers to functions that the new version has under another name: the answer and the new name.
    pub renamed: Vec<(Answer, String)>,
    /// Answers to functions that the new version no longer asks for.
    pub without_place: Vec<Answer>,
    /// Files of the learner that the new version no longer has.
    pub retired: Vec<String>,
}

/// Starter files that both sides changed, as texts.
type Texts = BTreeMap<String, String>;

/// The stubs that a version asks for, by task and function.
type Asked = BTreeSet<(TaskId, String)>;

/// Merges; what cannot be merged for certain stays as the learner has it.
pub fn merge(git: &Git, sides: &Sides<'_>) -> anyhow::Result<Merged> {
    let mut merged = Merged { tree: sides.theirs.clone(), ..Merged::default() };
    let mut open: Vec<Answer> = Vec::new();
    let mut texts = Texts::new();
    // Retired files of which the learner changed nothing but answers.
    let mut emptied: Vec<String> = Vec::new();
    let paths = sides.ours.keys().chain(sides.base.keys().filter(|path| !sides.ours.contains_key(*path)));
    for path in paths.filter(|path| sides.ours.get(*path) != sides.base.get(*path)) {
        let (base, ours, theirs) = (sides.base.get(path), sides.ours.get(path), sides.theirs.get(path));
        let written = match (base, ours) {
            (Some(base), Some(ours)) if is_starter(path, sides.packages) => {
                let (given, learners) = (text(git, base)?, text(git, ours)?);
                given.zip(learners).and_then(|(given, learners)| answers::written(path, &given, &learners))
            }
            _ => None,
        };
        let found = written.as_ref().map_or(Vec::new(), |written| written.answers.clone());
        match (base, ours, theirs) {
            // The author left it alone.
            (base, ours, theirs) if base == theirs => {
                match ours {
                    Some(ours) => drop(merged.tree.insert(path.clone(), ours.clone())),
                    None => drop(merged.tree.remove(path)),
                }
                merged.kept.extend(found);
            }
            (_, None, _) => {}
            (_, Some(ours), Some(theirs)) if ours == theirs => merged.kept.extend(found),
            (Some(base), Some(ours), Some(theirs)) => match three_way(git, base, ours, theirs, written)? {
                Some(around) if is_starter(path, sides.packages) => {
                    texts.insert(path.clone(), around);
                    open.extend(found);
                }
                Some(text) => {
                    let blob = git.store(text.as_bytes())?;
                    merged.tree.insert(path.clone(), Entry { mode: theirs.mode.clone(), blob });
                }
                None => {
                    merged.tree.insert(path.clone(), ours.clone());
                    merged.beside.insert(path.clone(), theirs.clone());
                    merged.kept.extend(found);
                }
            },
            (_, Some(ours), None) => {
                merged.tree.insert(path.clone(), ours.clone());
                merged.retired.push(path.clone());
                let given = base.map_or(Ok(None), |base| text(git, base))?;
                if written.is_some_and(|written| Some(written.around) == given) {
                    emptied.push(path.clone());
                }
                open.extend(found);
            }
            (None, Some(ours), Some(theirs)) => {
                merged.tree.insert(path.clone(), ours.clone());
                merged.beside.insert(path.clone(), theirs.clone());
            }
        }
    }
    place_answers(git, sides, &mut merged, texts, open)?;
    // Such a file goes once all of its answers have another place.
    emptied.retain(|path| merged.without_place.iter().all(|answer| answer.file != *path));
    merged.retired.retain(|path| !emptied.contains(path));
    merged.tree.retain(|path, _| !emptied.contains(path));
    Ok(merged)
}

/// Whether a file holds answers of the learner in Rust.
fn is_starter(path: &str, packages: &[String]) -> bool {
    let below = packages.iter().find_map(|package| path.strip_prefix(package.as_str()));
    below.is_some_and(|below| below.starts_with("/src/") && below.ends_with(".rs"))
}

fn text(git: &Git, entry: &Entry) -> anyhow::Result<Option<String>> {
    Ok(String::from_utf8(git.blob(&entry.blob)?).ok())
}

/// The text merge of a file that both sides changed; of a starter, the one around the answers.
fn three_way(
    git: &Git,
    base: &Entry,
    ours: &Entry,
    theirs: &Entry,
    written: Option<Written>,
) -> anyhow::Result<Option<String>> {
    let (Some(base), Some(ours), Some(theirs)) = (text(git, base)?, text(git, ours)?, text(git, theirs)?) else {
        return Ok(None);
    };
    let around = written.map_or(ours, |written| written.around);
    git.merge_texts(&around, &base, &theirs)
}

/// Puts the open answers into the starters of the new version, wherever their functions are now.
fn place_answers(
    git: &Git,
    sides: &Sides<'_>,
    merged: &mut Merged,
    mut texts: Texts,
    open: Vec<Answer>,
) -> anyhow::Result<()> {
    if open.is_empty() && texts.is_empty() {
        return Ok(());
    }
    for (path, entry) in sides.theirs.iter().filter(|(path, _)| is_starter(path, sides.packages)) {
        if !texts.contains_key(path) && !merged.beside.contains_key(path) && merged.tree.get(path) == Some(entry) {
            texts.extend(text(git, entry)?.map(|text| (path.clone(), text)));
        }
    }
    let renames = renames(&texts, &open, &asked(git, sides.base, sides.packages)?);
    let mut placed: Vec<Answer> = Vec::new();
    for (path, around) in &texts {
        let choose = |stub: &Stub| {
            let of_task = || open.iter().filter(|answer| answer.task == stub.task && same_package(&answer.file, path));
            let same = of_task().filter(|answer| answer.function == stub.function.path);
            let renamed = of_task().filter(|answer| renames.get(&key(answer)) == Some(&stub.function.path));
            only(same.clone().filter(|answer| answer.file == *path)).or_else(|| only(same)).or_else(|| only(renamed))
        };
        let Some((filled, found)) = answers::place(around, choose) else {
            // The merged text cannot be understood: a file that the learner changed stays, the new one lies beside it.
            let changed = sides.ours.get(path).filter(|ours| sides.base.get(path) != Some(*ours));
            if let (Some(ours), Some(theirs)) = (changed, sides.theirs.get(path)) {
                merged.tree.insert(path.clone(), ours.clone());
                merged.beside.insert(path.clone(), theirs.clone());
                placed.extend(open.iter().filter(|answer| answer.file == *path).cloned());
                merged.kept.extend(open.iter().filter(|answer| answer.file == *path).cloned());
            }
            continue;
        };
        for answer in found {
            placed.push(answer.clone());
            match renames.get(&key(answer)) {
                Some(name) => merged.renamed.push((answer.clone(), name.clone())),
                None => merged.kept.push(answer.clone()),
            }
        }
        let mode = sides.theirs.get(path).map_or("100644", |entry| &entry.mode).to_string();
        merged.tree.insert(path.clone(), Entry { mode, blob: git.store(filled.as_bytes())? });
    }
    merged.without_place.extend(open.into_iter().filter(|answer| !placed.contains(answer)));
    Ok(())
}

/// All stubs of a version.
fn asked(git: &Git, tree: &Tree, packages: &[String]) -> anyhow::Result<Asked> {
    let mut asked = Asked::new();
    for (_, entry) in tree.iter().filter(|(path, _)| is_starter(path, packages)) {
        let stubs = text(git, entry)?.and_then(|text| answers::stubs(&text)).unwrap_or_default();
        asked.extend(stubs.into_iter().map(|stub| (stub.task, stub.function.path)));
    }
    Ok(asked)
}

/// Answers whose function is gone, where their task has exactly one function that is new.
fn renames(texts: &Texts, open: &[Answer], before: &Asked) -> BTreeMap<(String, String), String> {
    let stubs: Vec<(&String, Stub)> = texts
        .iter()
        .flat_map(|(path, text)| answers::stubs(text).unwrap_or_default().into_iter().map(move |stub| (path, stub)))
        .collect();
    let is_asked = |answer: &Answer| {
        stubs.iter().any(|(_, stub)| stub.task == answer.task && stub.function.path == answer.function)
    };
    let lost = || open.iter().filter(|answer| !is_asked(answer));
    lost()
        .filter_map(|answer| {
            only(lost().filter(|other| other.task == answer.task))?;
            let new = stubs.iter().filter(|(path, stub)| {
                let is_new = !before.contains(&(stub.task, stub.function.path.clone()));
                stub.task == answer.task && is_new && same_package(&answer.file, path)
            });
            only(new).map(|(_, stub)| (key(answer), stub.function.path.clone()))
        })
        .collect()
}

fn key(answer: &Answer) -> (String, String) {
    (answer.file.clone(), answer.function.clone())
}

fn same_package(one: &str, other: &str) -> bool {
    one.split('/').next() == other.split('/').next()
}

/// The element of a sequence that has exactly one.
fn only<T>(mut elements: impl Iterator<Item = T>) -> Option<T> {
    let first = elements.next()?;
    elements.next().is_none().then_some(first)
}
