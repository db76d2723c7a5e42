//! A mistake in raddle: everything that is needed to see it again, in one folder.

use std::io;
use std::path::{Path, PathBuf};

/// Writes a new folder in `place` with the report, the input files and, if there is one, the
/// program as raddle read it.
pub fn write(
    place: &Path,
    report: &str,
    files: &[PathBuf],
    program: Option<&str>,
) -> io::Result<PathBuf> {
    let folder = (0..100)
        .map(|n| place.join(format!("raddle-bug-{}-{n}", std::process::id())))
        .find(|folder| !folder.exists())
        .ok_or_else(|| io::Error::other("too many bug reports"))?;
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join("report.txt"), format!("{report}\n"))?;
    if let Some(program) = program {
        std::fs::write(folder.join("program.txt"), program)?;
    }
    for (n, file) in files.iter().enumerate() {
        // Files of one name in different folders stay apart.
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        std::fs::copy(file, folder.join(format!("{}-{name}", n + 1)))?;
    }
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::write;

    #[test]
    fn all_is_in_the_folder() {
        let place = tempfile::tempdir().expect("a folder");
        let (a, b) = (place.path().join("a.c"), place.path().join("other/a.c"));
        std::fs::create_dir(place.path().join("other")).expect("a folder");
        std::fs::write(&a, "int x;").expect("writable");
        std::fs::write(&b, "int y;").expect("writable");
        let first = write(place.path(), "why", &[a.clone(), b], Some("text")).expect("written");
        let read = |name: &str| std::fs::read_to_string(first.join(name)).expect(name);
        assert_eq!(read("report.txt"), "why\n");
        assert_eq!(read("program.txt"), "text");
        assert_eq!((read("1-a.c"), read("2-a.c")), ("int x;".into(), "int y;".into()));
        let second = write(place.path(), "again", &[a], None).expect("written");
        assert_ne!(first, second);
        assert!(write(place.path(), "gone", &["nowhere.c".into()], None).is_err());
    }
}
