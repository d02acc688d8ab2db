//! The book's tables are what its ledger gives, and a measurement reaches both.

use std::{fs, path::Path};

use kit::Result;
use peers::{
    figures::{Places, stale, write},
    ledger, tables,
};

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
    let changed = write(&places, 1)?;
    for name in ["kept", "batch.md", "drafts.md", "engines-serving.md", "engines.md", "kernels.md"] {
        assert!(changed.iter().any(|file| file == name), "{name} is not in {changed:?}");
    }
    let kept = fs::read_to_string(&places.kept).expect("the book's ledger");
    assert_eq!(kept.lines().count(), 1, "the newest one alone: {kept}");
    assert_eq!((write(&places, 1)?, stale(&places)?), (vec![], vec![]), "nothing is new");
    fs::write(places.tables.join("engines.md"), "by hand").expect("a table");
    assert_eq!((stale(&places)?, write(&places, 0)?), (vec!["engines.md".into()], vec!["engines.md".into()]));
    let refused = write(&places, 3).expect_err("two were made").to_string();
    assert_eq!(refused, "3 measurements should be kept, but 2 were made; cargo xtask bench makes one");
    Ok(())
}

/// What `cargo xtask bench` has written, few and short rounds: the ledger's lines, each with the files that show it.
#[test]
fn what_bench_writes_stands_in_its_own_table() -> Result<()> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/measured.jsonl");
    let lines = ledger::parse(&fs::read_to_string(path).expect("measured lines"))?;
    let expected: [(&[&str], &[&str]); 5] = [
        (&["engines.md"], &["| `ref` |", "| `ref@kv-cache` |"]),
        (&["engines-serving.md"], &["| `ref` |", "| `ref@slots` |", "| `ref@flash-attention` |"]),
        (&["batch.md"], &["16 requests of up to 8 and 4 tokens, 8 at a time", "| `ref@gathered-pages` |"]),
        (&["drafts.md"], &["“What is a KV cache?”", "| `ref@drafts-2` |", "drafts kept"]),
        (
            &["kernel-paged_cache_update.md", "kernels.md"],
            &["1x8x128 into 64 pages of 16", "MLX's own operator", "| 1, naive |", "| 2, runs |"],
        ),
    ];
    assert_eq!(lines.len(), expected.len());
    for (line, (files, rows)) in lines.iter().zip(expected) {
        let tables = tables::files(std::slice::from_ref(line));
        let filled = tables.iter().filter(|(_, text)| !text.starts_with("No measurement is kept yet."));
        assert_eq!(filled.map(|(name, _)| name.as_str()).collect::<Vec<_>>(), files);
        for row in rows {
            assert!(tables[files[0]].contains(row), "no {row} in {}:\n{}", files[0], tables[files[0]]);
        }
    }
    Ok(())
}
