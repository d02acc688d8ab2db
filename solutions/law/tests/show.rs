//! The program as it is called: what it prints, where, with which exit code, and the picture that it leaves.

use std::{
    fs,
    path::PathBuf,
    process::{Command, Output},
};

fn law(arguments: &[&str], columns: &str) -> (i32, String, String) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_solution-law"));
    let Output { status, stdout, stderr } =
        program.args(arguments).env("COLUMNS", columns).output().expect("the program runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (status.code().expect("an exit code"), text(stdout), text(stderr))
}

/// What the three laws keep, and their probabilities, in the order temper-first, filter-first, mlx-lm.
fn kept(arguments: &[&str]) -> Vec<String> {
    let (code, out, err) = law(arguments, "84");
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let lines = out.lines().filter_map(|line| line.split_once("  keeps ").or(line.split_once("  refuses: ")));
    lines.map(|(_, kept)| kept.to_string()).collect()
}

/// The worked examples of the three laws.
#[test]
fn the_supports_are_those_of_the_worked_examples() {
    let with = |words: &str| kept(&words.split(' ').collect::<Vec<_>>());
    assert_eq!(with("--probs .4,.2,.2,.2 --temp 2 --top-p .58"), ["{0, 1, 2}", "{0, 1}", "{0, 1, 2, 3}"]);
    assert_eq!(with("--probs .5,.3,.15,.05 --temp 2 --top-p .75"), ["{0, 1, 2}", "{0, 1}", "{0, 1}"]);
    assert_eq!(with("--probs .5,.3,.15,.05 --temp 1 --top-p .75"), ["{0, 1}"; 3]);
    assert_eq!(with("--logits 3,2,1 --temp .5 --top-p .8"), ["{0}", "{0, 1}", "{0, 1}"]);
    let with_k = "--probs .35,.3,.2,.1,.05 --temp .7 --top-p .7 --top-k 3";
    assert_eq!(with(with_k), ["{0, 1}", "{0, 1, 2}", "{0, 1, 2}"]);
    assert_eq!(with("--probs .4,.3,.2,.1 --top-k 2 --top-p .5"), ["{0, 1}"; 3]);
    assert_eq!(with("--logits -1,-3 --temp 0"), ["{0}"; 3]);
}

#[test]
fn bars_stand_side_by_side_or_below_each_other() {
    let arguments = ["--probs", ".4,.2,.2,.2", "--temp", "2", "--top-p", ".58"];
    let (_, wide, _) = law(&arguments, "84");
    assert!(wide.contains("\n      2   0.2000  ████ 0.2929                               ███ 0.2265\n"), "{wide}");
    assert!(wide.contains("They do not draw from the same tokens"), "{wide}");
    assert!(!wide.contains('\x1b'), "{wide:?}");
    let (_, narrow, _) = law(&arguments, "40");
    assert_eq!(narrow.matches("  token        P  ").count(), 3, "{narrow}");
    let table = narrow.lines().filter(|line| line.contains('█'));
    assert!(table.clone().count() == 9 && table.clone().all(|line| line.chars().count() <= 40), "{narrow}");
    let (_, same, _) = law(&["--probs", ".5,.5"], "84");
    assert!(same.ends_with("The three keep the same tokens here, and so draw from the same law.\n"), "{same}");
}

#[test]
fn a_p_on_the_edge_of_a_sum_is_said_to_be_a_matter_of_rounding() {
    let edge = "p is within 1e-5 of a running sum";
    // 0.5 + 0.3; and 2/3, the tempered first of 4/5 and 1/5 at T = 2.
    for line in ["--probs .5,.3,.15,.05 --top-p .8", "--probs .8,.2 --temp 2 --top-p .6666667"] {
        let (_, out, _) = law(&line.split(' ').collect::<Vec<_>>(), "84");
        assert!(out.contains(edge), "{out}");
    }
    for line in ["--probs .5,.3,.2 --top-p .79", "--probs .5,.5 --top-p 1", "--probs .5,.5 --top-p .5 --temp nan"] {
        let (_, out, _) = law(&line.split(' ').collect::<Vec<_>>(), "84");
        assert_eq!(out.contains(edge), line.ends_with("nan"), "{out}");
    }
}

#[test]
fn long_rows_and_small_numbers_fit() {
    let row = vec!["1"; 5000].join(",");
    let (code, out, _) = law(&["--probs", &row, "--top-p", ".5"], "84");
    assert_eq!((code, out.lines().count() < 50), (0, true), "{out}");
    assert!(out.contains("4976 more tokens are not listed.") && out.contains("… 2500 in all}"), "{out}");
    let (_, out, _) = law(&["--logits", "1000,0,-1e300,-inf"], "84");
    assert!(out.contains("0   1.0000  ████████████ 1.0000"), "{out}");
    let (_, out, _) = law(&["--probs", "1e308,1e308,1e300"], "84");
    assert!(out.contains("      2     5e-9  "), "{out}");
}

#[test]
fn a_law_that_refuses_says_why_beside_the_others() {
    let (code, out, err) = law(&["--probs", ".5,.5", "--temp", "-1"], "84");
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.contains("filter-first  refuses: temp is -1, but it must be 0 or a finite positive number"), "{out}");
    assert!(out.contains("temper-first  keeps {0}") && out.ends_with("One law answers alone.\n"), "{out}");
    let (code, out, _) = law(&["--probs", ".5,.5", "--temp", "nan"], "84");
    assert_eq!((code, out.matches("refuses: ").count()), (2, 3), "{out}");
    assert!(out.ends_with("No law answers.\n") && !out.contains("token"), "{out}");
}

#[test]
fn bad_input_is_one_sentence_with_its_value() {
    let refused = |arguments: &[&str]| {
        let (code, out, err) = law(arguments, "84");
        assert_eq!((code, out.as_str()), (2, ""), "{err}");
        err
    };
    assert_eq!(refused(&["--probs", "0,0"]), "--probs is 0 everywhere, but it must hold a number above 0\n");
    let negative = refused(&["--probs", "1,-1"]);
    assert_eq!(negative, "a value of --probs is -1, but it must be a finite number of at least 0\n");
    assert!(refused(&["--probs", "nan"]).starts_with("a value of --probs is NaN, "));
    assert!(refused(&["--probs", "inf,1"]).starts_with("a value of --probs is inf, "));
    assert_eq!(refused(&["--logits", "1,inf"]), "--logits: the row is refused: row 0 contains +inf\n");
    assert!(refused(&["--logits", "-inf"]).contains("row 0 has no finite entry"));
    assert!(refused(&["--probs", "1,,2"]).starts_with("error: invalid value '' for '--probs"));
    let no_number = refused(&["--probs", "a"]);
    let how =
        "error: invalid value 'a' for '--probs <P,P,…>': write numbers with commas between them, as .4,.2,.2,.2\n";
    assert!(no_number.starts_with(how), "{no_number}");
    for list in ["--probs", "--logits"] {
        let beyond = refused(&[list, "0,-1e400"]);
        assert!(beyond.contains("invalid value '-1e400'") && beyond.contains("beyond what f64 holds"), "{beyond}");
    }
    assert_eq!(kept(&["--probs", " .4, .6 "]), ["{0, 1}"; 3]);
    assert_eq!(refused(&["bench", "--trials", "10001"]), "trials is 10001, but it must be from 5 to 10000\n");
    assert!(refused(&["--temp", "1"]).contains("--probs"));
    assert!(refused(&["--probs", "1", "--logits", "1"]).contains("cannot be used with"));
    assert!(refused(&["--probs", "1", "--top-k", "1.5"]).contains("invalid value '1.5' for '--top-k"));
    assert!(refused(&["check"]).contains("<FILE>"));
    let two = refused(&["check", "no-such-file.json", "nor-this.json"]);
    assert!(two.contains("\nnor-this.json: the file cannot be read: "), "{two}");
    assert!(refused(&["check", "no-such-file.json"]).starts_with("no-such-file.json: the file cannot be read: "));
}

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("law-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            fs::remove_dir_all(&self.0).expect("the folder can go");
        }
    }
}

#[test]
fn the_picture_has_every_number_and_can_stand_in_a_page() {
    let folder = Folder::new("svg");
    let file = folder.0.join("a.svg");
    let path = file.to_str().expect("UTF-8");
    let arguments = ["--probs", ".4,.2,.2,.2", "--temp", "2", "--top-p", ".58", "--svg", path];
    let (code, out, err) = law(&arguments, "84");
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.ends_with(&format!("\nPicture: {path}\n")), "{out}");
    let svg = fs::read_to_string(&file).expect("written");
    for part in
        ["currentColor", "role=\"img\"", "<title ", "<desc ", "filter-first keeps {0, 1}: token 0 0.5858", ">0.2265<"]
    {
        assert!(svg.contains(part), "{part} is not in {svg}");
    }
    // An empty line would end the block in Markdown, a style element would leak, and colours would hide on dark pages.
    for part in ["\n\n", "<style", "black", "white", "#000", "#fff", "href"] {
        assert!(!svg.contains(part), "{part} is in {svg}");
    }
    let opened = svg.matches('<').count() - 2 * svg.matches("</").count() - svg.matches("/>").count();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && opened == 0, "{svg}");
    assert_eq!(svg.matches(">never<").count(), 3);
    assert_eq!(law(&arguments, "84").0, 0, "the same picture again");
    fs::write(&file, "mine").expect("a file");
    let (code, out, err) = law(&arguments, "84");
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(
        err.contains("a.svg: it is there and is no picture of this command, so it stays; name another file"),
        "{err}"
    );
    assert_eq!(fs::read_to_string(&file).expect("still there"), "mine");
}

#[test]
fn check_prints_counts_and_failures_and_ends_with_1_on_a_failure() {
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/sampling_mtplx.json");
    let (code, out, err) = law(&["check", golden], "84");
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    assert!(out.contains("\n  distribution       137       0         6       2\n"), "{out}");
    assert!(out.ends_with("\n  in all             297       0         7       2\n"), "{out}");
    let folder = Folder::new("check");
    let file = folder.0.join("golden.json");
    let case =
        |id: &str, token| format!(r#"{{"id":"{id}","group":"dense","probs":[0.5,0.5],"u":0.7,"expect":{token}}}"#);
    fs::write(&file, format!(r#"{{"sample":[{},{}]}}"#, case("a", 1), case("\\u001bb", 0))).expect("a file");
    let (code, out, err) = law(&["check", golden, file.to_str().expect("UTF-8")], "84");
    assert_eq!((code, err.as_str()), (1, ""), "{out}");
    assert!(out.contains("\n  sample               1       1         0       0\n"), "{out}");
    assert!(out.ends_with("FAILED ?b\n  got       {1}\n  expected  {0}\n"), "{out}");
    // A file that cannot be checked does not hide the next, and its exit code is the one that counts.
    let (code, out, err) = law(&["check", "no-such-file.json", file.to_str().expect("UTF-8")], "84");
    assert_eq!((code, err.lines().count(), out.matches("FAILED").count()), (2, 1, 1), "{err}{out}");
}
