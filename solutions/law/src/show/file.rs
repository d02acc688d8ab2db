//! A picture's way to the disk: whole or not at all, and never over somebody else's file.

use std::{
    fs,
    io::{ErrorKind, Read, Write},
    path::Path,
};

use kit::{Error, Result};

use super::picture::BEGINNING;

/// Writes `svg` to `path`, over an older picture of this command if there is one.
///
/// Errors: `Other` for a file that this command has not written, a folder, and a place that cannot be written.
pub fn write(path: &Path, svg: &str) -> Result<()> {
    let wrong = |what: String| Error::Other(format!("{}: {what}", path.display()));
    let Some(name) = path.file_name() else { return Err(wrong("this is no name of a file".into())) };
    match fs::File::open(path) {
        Ok(file) => {
            let mut start = Vec::new();
            let read = file.take(BEGINNING.len() as u64).read_to_end(&mut start);
            if read.is_err() || start != BEGINNING.as_bytes() {
                let what = "it is there and is no picture of this command, so it stays; name another file";
                return Err(wrong(what.into()));
            }
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(wrong(format!("it cannot be looked into: {error}"))),
    }
    // Beside the file, so that the last step is a rename within one disk.
    let unfinished = path.with_file_name(format!(".{}.{}", name.to_string_lossy(), std::process::id()));
    let written = fs::File::create_new(&unfinished)
        .and_then(|mut file| file.write_all(svg.as_bytes()).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&unfinished, path));
    written.map_err(|error| {
        // What is left of a failed attempt; that it may not be there at all is no second failure.
        fs::remove_file(&unfinished).unwrap_or_default();
        wrong(format!("the picture cannot be written: {error}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_pictures_are_replaced_and_other_files_stay() -> Result<()> {
        let folder = std::env::temp_dir().join(format!("law-picture-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let file = folder.join("a.svg");
        for end in ["1", "2"] {
            let picture = format!("{BEGINNING}{end}");
            write(&file, &picture)?;
            assert_eq!(fs::read_to_string(&file).expect("written"), picture);
        }
        for foreign in ["", "<svg class=\"fig\" viewBox=\"0 0 1 1\"/>", "text"] {
            fs::write(&file, foreign).expect("a file");
            let refusal = write(&file, BEGINNING).expect_err("a refusal").to_string();
            assert!(refusal.contains("a.svg: it is there and is no picture of this command"), "{refusal}");
            assert_eq!(fs::read_to_string(&file).expect("still there"), foreign);
        }
        assert!(write(&folder, BEGINNING).is_err());
        let refusal = write(&folder.join("none/a.svg"), BEGINNING).expect_err("a refusal").to_string();
        assert!(refusal.contains("none/a.svg: the picture cannot be written: "), "{refusal}");
        assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 1);
        fs::remove_dir_all(&folder).expect("the folder can go");
        Ok(())
    }
}
