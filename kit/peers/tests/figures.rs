//! The book's tables are what its ledger gives, and a measurement reaches both.

use std::{fs, path::Path};

use kit::Result;
use peers::figures::{Places, stale, write};

fn book() -> Places {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the repository").to_path_buf();
    let book = root.join("book");
    Places {
        measured: root.join(".learner/bench.jsonl"),
        kept: book.join("ledger.jsonl"),
        tables: book.join("src/generated"),
    }
}

#[test]
fn the_tables_in_the_book_are_current() -> Result<()> {
    assert!(book().tables.join("engines.md").is_file(), "book/src/generated/engines.md is missing");
    assert_eq!(stale(&book())?, [""; 0], "write them again: cargo xtask book figures");
    Ok(())
}

#[test]
fn a_measurement_reaches_ledger_and_tables_once() -> Result<()> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let at = |name: &str| folder.path().join(name);
    let places = Places { measured: at("measured"), kept: at("kept"), tables: at("tables") };
    let line = r#"{"kind":"engines","model":"m","engines":[{"figures":{"who":"ref"}}]}"#;
    fs::write(&places.measured, format!("{{\"kind\":\"kernels\"}}\n{line}\n")).expect("a ledger");
    assert_eq!(write(&places, 1)?, ["kept", "batch.md", "drafts.md", "engines-serving.md", "engines.md", "kernels.md"]);
    let kept = fs::read_to_string(&places.kept).expect("the book's ledger");
    assert_eq!(kept.lines().count(), 1, "the newest one alone: {kept}");
    assert_eq!((write(&places, 1)?, stale(&places)?), (vec![], vec![]), "nothing is new");
    fs::write(places.tables.join("engines.md"), "by hand").expect("a table");
    assert_eq!((stale(&places)?, write(&places, 0)?), (vec!["engines.md".into()], vec!["engines.md".into()]));
    let refused = write(&places, 3).expect_err("two were made").to_string();
    assert_eq!(refused, "3 measurements should be kept, but 2 were made; cargo xtask bench makes one");
    Ok(())
}
