//! Checks on the built pages: every link and anchor leads somewhere, nothing is loaded from a network, no formula failed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use anyhow::Context;

/// Every problem of the pages in `folder`, as `page: sentence`.
pub fn problems(folder: &Path) -> anyhow::Result<Vec<String>> {
    let mut pages = BTreeMap::new();
    collect(folder, Path::new(""), &mut pages)?;
    let ids: BTreeMap<&PathBuf, BTreeSet<&str>> =
        pages.iter().map(|(name, html)| (name, values(html, &["id"]).into_iter().collect())).collect();
    let mut problems = Vec::new();
    // The print page repeats all others.
    for (name, html) in pages.iter().filter(|(name, _)| !is_made_by_mdbook(name)) {
        let mut report = |what: String| problems.push(format!("{}: {what}", name.display()));
        for sign in ["<merror", "{{#"] {
            if html.contains(sign) {
                report(format!("{sign} is left in the page"));
            }
        }
        for tag in
            html.split('<').filter(|tag| ["script", "link", "img", "iframe"].iter().any(|name| tag.starts_with(name)))
        {
            let tag = tag.split('>').next().unwrap_or(tag);
            for url in values(tag, &["src", "href"]).into_iter().filter(|url| is_external(url)) {
                report(format!("loads {url}"));
            }
        }
        for link in values(html, &["href", "src"]).into_iter().filter(|link| !is_external(link)) {
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if path.is_empty() { name.clone() } else { normal(&name.with_file_name("").join(path)) };
            if !folder.join(&target).exists() {
                report(format!("links to {link}, which is not there"));
            } else if !anchor.is_empty() && ids.get(&target).is_some_and(|ids| !ids.contains(anchor)) {
                report(format!("links to {link}, a page without that anchor"));
            }
        }
    }
    Ok(problems)
}

fn collect(folder: &Path, below: &Path, pages: &mut BTreeMap<PathBuf, String>) -> anyhow::Result<()> {
    let here = folder.join(below);
    for entry in fs::read_dir(&here).with_context(|| format!("{} cannot be read", here.display()))? {
        let entry = entry.with_context(|| format!("{} cannot be read", here.display()))?;
        let name = below.join(entry.file_name());
        if entry.path().is_dir() {
            collect(folder, &name, pages)?;
        } else if name.extension().is_some_and(|extension| extension == "html") {
            let html =
                fs::read_to_string(entry.path()).with_context(|| format!("{} cannot be read", name.display()))?;
            pages.insert(name, html);
        }
    }
    Ok(())
}

fn is_made_by_mdbook(page: &Path) -> bool {
    ["print.html", "404.html", "toc.html"].iter().any(|name| page == Path::new(name))
}

fn is_external(url: &str) -> bool {
    url.contains("://") || url.starts_with("//") || url.starts_with("data:") || url.starts_with("mailto:")
}

/// The values of these attributes, in order.
fn values<'a>(html: &'a str, names: &[&str]) -> Vec<&'a str> {
    let mut found = Vec::new();
    for name in names {
        let start = format!(" {name}=\"");
        found.extend(html.split(&start).skip(1).filter_map(|rest| rest.split('"').next()));
    }
    found
}

/// `a/../b` as `b`.
fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                out.pop();
            }
            Component::CurDir => {}
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_links_foreign_scripts_and_failed_math_are_reported() {
        let folder = std::env::temp_dir().join(format!("book-site-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a scratch folder");
        let page = "<h2 id=\"one\">1</h2><a href=\"b.html#two\">x</a><a href=\"b.html#three\">x</a><a href=\"c.html\">x</a>\
                    <a href=\"#one\">x</a><a href=\"https://example.org\">x</a><script src=\"https://example.org/a.js\"></script><merror/>";
        fs::write(folder.join("a.html"), page).expect("a page");
        fs::write(folder.join("b.html"), "<h2 id=\"two\">2</h2>").expect("a page");
        let found = problems(&folder);
        fs::remove_dir_all(&folder).expect("the scratch folder goes");
        let expected = [
            "a.html: <merror is left in the page",
            "a.html: loads https://example.org/a.js",
            "a.html: links to b.html#three, a page without that anchor",
            "a.html: links to c.html, which is not there",
        ];
        assert_eq!(found.expect("readable pages"), expected);
    }
}
