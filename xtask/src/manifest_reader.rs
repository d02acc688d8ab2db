//! Typed reading of a TOML text, with errors that name file and line: `xtask/course.toml:12: …`.

use std::collections::BTreeSet;

use anyhow::anyhow;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A table of a TOML text, with its place.
pub struct Table<'a> {
    name: &'a str,
    text: &'a str,
    start: usize,
    entries: DeTable<'a>,
}

impl<'a> Table<'a> {
    /// The whole document; `name` is what errors call the file.
    pub fn parse(name: &'a str, text: &'a str) -> anyhow::Result<Self> {
        let document = DeTable::parse(text).map_err(|error| {
            let start = error.span().map_or(0, |span| span.start);
            anyhow!("{name}:{}: {}", line_of(text, start), error.message())
        })?;
        Ok(Self { name, text, start: 0, entries: document.into_inner() })
    }

    /// An error at this table's first line.
    pub fn error(&self, what: &str) -> anyhow::Error {
        self.error_at(self.start, what)
    }

    /// The text under a key.
    pub fn text(&self, key: &str) -> anyhow::Result<String> {
        self.optional_text(key)?.ok_or_else(|| self.missing(key))
    }

    /// The text under a key, if the key is there.
    pub fn optional_text(&self, key: &str) -> anyhow::Result<Option<String>> {
        self.read(key, "be a text in quotes", |value| {
            value.as_str().filter(|text| !text.is_empty()).map(str::to_string)
        })
    }

    /// The number under a key, 1 to 255.
    pub fn number(&self, key: &str) -> anyhow::Result<u8> {
        let read = |value: &DeValue<'a>| value.as_integer().and_then(|n| n.as_str().parse().ok()).filter(|n| *n > 0);
        self.read(key, "be a whole number from 1 to 255", read)?.ok_or_else(|| self.missing(key))
    }

    /// The truth value under a key, false where it is missing.
    pub fn flag(&self, key: &str) -> anyhow::Result<bool> {
        Ok(self.read(key, "be true or false", |value| value.as_bool())?.unwrap_or(false))
    }

    /// The tables of the list under a key, none where it is missing.
    pub fn tables(&self, key: &str) -> anyhow::Result<Vec<Table<'a>>> {
        let must = "be a list of tables";
        let read = |value: &DeValue<'a>| match value {
            DeValue::Array(list) => Some(list.iter().cloned().collect::<Vec<_>>()),
            _ => None,
        };
        let list = self.read(key, must, read)?.unwrap_or_default();
        let table = |entry: Spanned<DeValue<'a>>| {
            let start = entry.span().start;
            match entry.into_inner() {
                DeValue::Table(entries) => Ok(Table { name: self.name, text: self.text, start, entries }),
                _ => Err(self.error_at(start, &format!("`{key}` must {must}"))),
            }
        };
        list.into_iter().map(table).collect()
    }

    /// Refuses keys other than the known ones, so that a misspelt one is not silently without effect.
    pub fn finish(&self, known: &[&str]) -> anyhow::Result<()> {
        let known: BTreeSet<&str> = known.iter().copied().collect();
        match self.entries.iter().find(|(key, _)| !known.contains(key.get_ref().as_ref())) {
            Some((key, _)) => Err(self.error_at(key.span().start, &format!("`{}` is not a known key", key.get_ref()))),
            None => Ok(()),
        }
    }

    fn read<T>(&self, key: &str, must: &str, read: impl Fn(&DeValue<'a>) -> Option<T>) -> anyhow::Result<Option<T>> {
        let Some(value) = self.entries.get(key) else { return Ok(None) };
        let wrong = || self.error_at(value.span().start, &format!("`{key}` must {must}"));
        read(value.get_ref()).map(Some).ok_or_else(wrong)
    }

    fn missing(&self, key: &str) -> anyhow::Error {
        self.error(&format!("`{key}` is missing"))
    }

    fn error_at(&self, start: usize, what: &str) -> anyhow::Error {
        anyhow!("{}:{}: {what}", self.name, line_of(self.text, start))
    }
}

/// Lines count from 1.
fn line_of(text: &str, start: usize) -> usize {
    text[..start.min(text.len())].matches('\n').count() + 1
}
