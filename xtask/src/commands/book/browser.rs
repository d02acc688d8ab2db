//! The built pages in a real browser: in goes their folder, out come pages that overflow or complain in the console.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::Context;

/// What Debian, other Linuxes and macOS call a browser that runs without a window.
const BROWSERS: [&str; 5] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/// The page that opens the others.
const LOOK: &str = include_str!("browser.html");
const LOOK_NAME: &str = "zz-look.html";

/// The browser of this machine, if there is one.
pub fn find() -> Option<PathBuf> {
    let runs = |program: &&&str| {
        let version = Command::new(program).arg("--version").stdin(Stdio::null()).stderr(Stdio::null()).output();
        version.is_ok_and(|output| output.status.success())
    };
    BROWSERS.iter().find(runs).map(PathBuf::from)
}

/// Every problem of the pages in `folder`, as `page: sentence`.
pub fn problems(browser: &Path, folder: &Path) -> anyhow::Result<Vec<String>> {
    let mut pages: Vec<String> = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("{} cannot be read", folder.display()))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        // The table of contents is a part of the others.
        if name.ends_with(".html") && name != "toc.html" && name != LOOK_NAME {
            pages.push(name);
        }
    }
    pages.sort();
    let list = pages.iter().map(|page| format!("{page:?}")).collect::<Vec<_>>().join(", ");
    let look = folder.join(LOOK_NAME);
    fs::write(&look, LOOK.replace("/*PAGES*/", &list)).with_context(|| format!("cannot write {}", look.display()))?;
    let profile = std::env::temp_dir().join(format!("book-browser-{}", std::process::id()));
    let output = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--allow-file-access-from-files",
            "--enable-logging=stderr",
        ])
        .args(["--no-first-run", "--disable-extensions", "--virtual-time-budget=600000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("file://{}", look.display()))
        .stdin(Stdio::null())
        .output()
        .context("the browser does not start")?;
    fs::remove_file(&look).with_context(|| format!("cannot remove {}", look.display()))?;
    if profile.is_dir() {
        fs::remove_dir_all(&profile).with_context(|| format!("cannot remove {}", profile.display()))?;
    }
    let (dom, log) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    Ok(read(&dom, &log, pages.len()))
}

fn read(dom: &str, log: &str, pages: usize) -> Vec<String> {
    let found = dom.split_once("id=\"found\">").and_then(|(_, rest)| rest.split_once("</pre>"));
    let lines: Vec<&str> = found.map_or("", |(found, _)| found).lines().filter(|line| !line.is_empty()).collect();
    let mut problems: Vec<String> = match lines.split_last() {
        Some((last, lines)) if *last == format!("looked at {pages} pages") => {
            lines.iter().map(|line| line.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")).collect()
        }
        _ => vec!["the browser did not come to the end of the pages".to_string()],
    };
    let console = log.lines().filter_map(|line| line.split_once(":CONSOLE").map(|(_, said)| said));
    problems.extend(console.map(|said| format!("console: {}", said.split_once("] ").map_or(said, |(_, said)| said))));
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_browser_says_is_read() {
        let dom = "<pre id=\"found\">\na.html, navy, 390 px: &lt;table&gt; reaches to 500 px: x &amp; y\nlooked at 2 pages\n</pre>";
        let log = "[1:2:ERROR:dbus/bus.cc:405] no bus\n[1:2:0101/1.2:INFO:CONSOLE:12] \"Uncaught ReferenceError: x\", source: a.js (12)\n";
        let expected = [
            "a.html, navy, 390 px: <table> reaches to 500 px: x & y",
            "console: \"Uncaught ReferenceError: x\", source: a.js (12)",
        ];
        assert_eq!(read(dom, log, 2), expected);
        assert_eq!(read("", "", 2), ["the browser did not come to the end of the pages"]);
        assert_eq!(read(dom, "", 3), ["the browser did not come to the end of the pages"]);
    }

    #[test]
    fn an_overflow_and_an_error_are_found_in_a_real_page() {
        let Some(browser) = find() else { return };
        let folder = std::env::temp_dir().join(format!("book-look-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a scratch folder");
        let page = |body: &str| {
            format!("<!doctype html><html class=\"js light\"><body style=\"margin:0\"><main>{body}</main>")
        };
        let wide = "<div style=\"overflow:auto\"><p style=\"width:2000px\">fine</p></div>";
        fs::write(folder.join("good.html"), page(wide)).expect("a page");
        let bad = "<p style=\"width:500px\">too wide</p><script>unknown()</script>";
        fs::write(folder.join("bad.html"), page(bad)).expect("a page");
        let found = problems(&browser, &folder).expect("the browser runs");
        fs::remove_dir_all(&folder).expect("the scratch folder goes");
        let all = found.join("\n");
        assert!(found.iter().all(|line| line.contains("bad.html")), "{all}");
        assert!(all.contains("bad.html, light, 390 px: <p> reaches to 500 px: too wide"), "{all}");
        assert!(all.contains("bad.html, navy, 390 px: the page is 500 px wide") && !all.contains("1280"), "{all}");
        assert!(all.contains("console: \"Uncaught ReferenceError: unknown is not defined\""), "{all}");
    }
}
