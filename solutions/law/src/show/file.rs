//! A picture's way to the disk: whole or not at all, and never over somebody else's file.

use std::{
    fs,
    io::{ErrorKind, Read, Write},
    path::Path,
};

use kit::{Error, Result};

use super::picture::BEGINNING;

/// Writes `svg` to `path`, over an older picture of this command if there is one. A link stays: what it leads to is
/// written.
///
/// Errors: `Other` for a file that this command has not written, whatever is no file, and a place that cannot be written.
pub fn write(path: &Path, svg: &str) -> Result<()> {
    let wrong = |what: String| Error::Other(format!("{}: {what}", path.display()));
    let target = match fs::symlink_metadata(path) {
        Ok(about) if about.is_symlink() => {
            let lost = |error| wrong(format!("this link leads nowhere: {error}; name a file"));
            fs::canonicalize(path).map_err(lost)?
        }
        _ => path.to_path_buf(),
    };
    let path = target.as_path();
    let Some(name) = path.file_name() else { return Err(wrong("this is no name of a file".into())) };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if folder.is_some_and(|folder| !folder.exists()) {
        return Err(wrong("the folder of this file is not there; make it first, or name another file".into()));
    }
    // Opening what is no file may wait for ever.
    if fs::metadata(path).is_ok_and(|about| !about.is_file()) {
        return Err(wrong("it is there and is no file, so it stays; name another one".into()));
    }
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
        let refused = |path: &Path| write(path, BEGINNING).expect_err("a refusal").to_string();
        assert!(refused(&folder).ends_with(": it is there and is no file, so it stays; name another one"));
        assert!(refused(&folder.join("none/a.svg")).contains("none/a.svg: the folder of this file is not there; "));
        let below_a_file = refused(&file.join("a.svg"));
        assert!(below_a_file.contains("a.svg/a.svg: it cannot be looked into: "), "{below_a_file}");
        assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 1);
        fs::remove_dir_all(&folder).expect("the folder can go");
        Ok(())
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_and_leads_to_the_picture() -> Result<()> {
        let folder = std::env::temp_dir().join(format!("law-link-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let (link, file) = (folder.join("link.svg"), folder.join("a.svg"));
        std::os::unix::fs::symlink(&file, &link).expect("a link");
        let refusal = write(&link, BEGINNING).expect_err("a refusal").to_string();
        assert!(refusal.contains("link.svg: this link leads nowhere: "), "{refusal}");
        fs::write(&file, BEGINNING).expect("an older picture");
        write(&link, &format!("{BEGINNING}1"))?;
        assert_eq!(fs::read_to_string(&file).expect("written"), format!("{BEGINNING}1"));
        assert!(fs::symlink_metadata(&link).expect("still there").is_symlink());
        fs::remove_dir_all(&folder).expect("the folder can go");
        Ok(())
    }
}
