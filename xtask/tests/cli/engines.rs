//! `generate`, `verify`, `fetch` and `law` become the program of the chosen engine, with its arguments, folder and exit code.
#![cfg(unix)]

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::scratch::Scratch;

#[test]
fn every_spelling_reaches_its_program() {
    let course = Scratch::course("engines");
    let cargo = course.fake_cargo("an answer\n", "", 0);
    let called = |arguments: &[&str], expected: &str| {
        course.write("fake/calls", "");
        course.xtask_with_cargo(&cargo, arguments).expect(0, "").says("an answer\n");
        let calls = course.read("fake/calls");
        let last = calls.lines().last().and_then(|line| line.split_once(": ")).expect("a call").1.to_string();
        assert_eq!(last, expected);
        let package = expected.split(' ').nth(3).expect("a package");
        assert!(calls.contains(&format!(": build -p {package}")), "{calls}");
    };
    called(&["generate"], "run --quiet -p solution-week1 -- generate");
    called(&["main", "--solution", "tiny_llm", "--loader", "week1"], "run --quiet -p week1 -- generate");
    called(&["generate", "--who", "mlx", "--temp", "0.7"], "run --quiet -p solution-baseline -- generate --temp 0.7");
    called(&["generate", "--prompt", "a b", "--who=you"], "run --quiet -p week1 -- generate --prompt a b");
    let stage = ["generate", "--week", "2", "--checkpoint", "kv-cache"];
    called(&stage, "run --quiet -p solution-week2 -- generate --checkpoint kv-cache");
    course.write("week2/Cargo.toml", "[features]\nref-base = []\n");
    let based = "run --quiet -p week2 --no-default-features --features ref-base -- ";
    called(&["verify", "--week", "2", "--who", "you", "--base", "ref", "x.json"], &format!("{based}verify x.json"));
    called(&["verify", "golden.json", "--who", "ref"], "run --quiet -p solution-week1 -- verify golden.json");
    called(&["fetch", "qwen3-0.6b", "--offline"], "run --quiet -p solution-week1 -- fetch qwen3-0.6b --offline");
    called(&["law", "--probs", "1,-1"], "run --quiet -p solution-law -- --probs 1,-1");
    called(&["batch", "p.txt"], "run --quiet -p solution-week3 -- batch p.txt");
    called(&["batch", "p.txt", "--who", "you", "--week", "3"], "run --quiet -p week3 -- batch p.txt");
    called(&["serve", "--port", "0"], "run --quiet -p solution-serve -- --port 0");
    let own = "run --quiet -p solution-serve --no-default-features --features ";
    called(&["serve", "--who", "you"], &format!("{own}you --"));
    called(&["serve", "--who=you", "--base", "ref", "--slots", "2"], &format!("{own}you-on-ref -- --slots 2"));
    called(&["law", "check", "golden.json"], "run --quiet -p solution-law -- check golden.json");
}

#[test]
fn wrong_choices_are_refused_before_anything_is_built() {
    let course = Scratch::course("choices");
    let cargo = course.fake_cargo("", "", 0);
    let wrong = |arguments: &[&str], sentence: &str| {
        course.xtask_with_cargo(&cargo, arguments).expect(2, &format!("error: {sentence}"));
        assert!(!course.root.join("fake/calls").exists(), "{arguments:?} called cargo");
    };
    wrong(&["generate", "--who", "me"], "--who is `me`, but it must be you, ref or mlx");
    wrong(&["verify", "x.json", "--week", "0"], "there is no week 0: the course has weeks 1 to 3");
    wrong(
        &["generate", "--loader", "weekend"],
        "--loader is `weekend`, but it must be the number of a week, such as 1",
    );
    wrong(&["generate", "--who"], "--who needs a value");
    wrong(
        &["serve", "--week", "2"],
        "only the engine of Week 3 answers many at once; use --week 3, or leave --week out",
    );
    wrong(&["serve", "--who", "mlx"], "MLX's own engine answers one text after the other; use --who you or ref");
}

#[test]
fn help_needs_no_setup() {
    let course = Scratch::course("help");
    let cargo = course.fake_cargo("", "", 0);
    let help = course.xtask_with_cargo(&cargo, &["generate", "--help"]);
    help.expect(0, "").says("--who you|ref|mlx").says("--week 1").says("cargo xtask setup");
    let help = course.xtask_with_cargo(&cargo, &["batch", "--help"]);
    help.expect(0, "").says("--who you|ref (or --solution); default: ref. The week: 3").says("cargo xtask setup");
    let help = course.xtask_with_cargo(&cargo, &["law", "--help"]);
    help.expect(0, "").says("law --probs .4,.2,.2,.2 --temp 2 --top-p .58").says("cargo xtask setup");
    assert!(!course.root.join("fake/calls").exists());
}

#[test]
fn the_exit_code_and_the_folder_are_the_programs() {
    let course = Scratch::course("codes");
    let cargo = course.fake_cargo("", "", 0);
    // Builds succeed, the program itself ends with 7.
    let script = course.read("fake/cargo").replace("exit 0", "case \"$1\" in run) exit 7;; esac");
    course.write("fake/cargo", &script);
    let mut command = course.prepared(&course.root.join("week1/src"), &["generate", "--model", "../../here"]);
    let status = command.env("CARGO", &cargo).status().expect("xtask runs");
    assert_eq!(status.code(), Some(7));
    let folder = course.root.join("week1/src").display().to_string();
    assert!(course.read("fake/calls").contains(&format!("{folder}: run ")), "{}", course.read("fake/calls"));
}

#[test]
fn code_that_does_not_compile_ends_in_one_line_below_the_compilers_own() {
    let course = Scratch::course("broken");
    let message = "error[E0308]: mismatched types\nerror: could not compile `week1` (lib) due to 1 previous error\n";
    let cargo = course.fake_cargo("", message, 101);
    let ran = course.xtask_with_cargo(&cargo, &["generate", "--who", "you"]);
    ran.expect(1, message);
    assert!(
        ran.err.ends_with(
            "week1 does not compile yet: read the first error above, repair it, then: cargo xtask generate\n"
        )
    );
    let cargo = course.fake_cargo("", "error: could not compile `kit` (lib) due to 1 previous error\n", 101);
    let ran = course.xtask_with_cargo(&cargo, &["generate"]);
    ran.expect(2, "error: could not compile `kit`");
    assert!(ran.err.contains("it is not yours to write"));
}

#[test]
fn an_interrupt_reaches_the_program_and_its_ending_counts() {
    let course = Scratch::course("interrupt");
    let cargo = course.fake_cargo("", "", 0);
    let waiting =
        "case \"$1\" in run) trap 'echo stopped; exit 5' INT; echo ready; while :; do sleep 0.05; done;; esac";
    course.write("fake/cargo", &course.read("fake/cargo").replace("exit 0", waiting));
    let mut command = course.prepared(&course.root, &["generate"]);
    let mut child = command.env("CARGO", &cargo).stdout(Stdio::piped()).spawn().expect("xtask runs");
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(child.stdout.take().expect("an output")));
    let began = Instant::now();
    assert_eq!(lines.next().expect("a line").expect("text"), "ready");
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(sent.success());
    assert_eq!(lines.next().expect("a line").expect("text"), "stopped");
    assert_eq!(child.wait().expect("it ends").code(), Some(5));
    assert!(began.elapsed() < Duration::from_secs(5));
}

#[test]
fn an_interrupt_while_cargo_builds_is_one_sentence() {
    let course = Scratch::course("building");
    let cargo = course.fake_cargo("", "", 0);
    // A build that would last; `exec` leaves no process of its own behind.
    let waiting = "echo 'error: building' >&2; exec sleep 5";
    course.write("fake/cargo", &course.read("fake/cargo").replace("exit 0", waiting));
    let mut command = course.prepared(&course.root, &["generate"]);
    let mut child = command.env("CARGO", &cargo).stderr(Stdio::piped()).spawn().expect("xtask runs");
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(child.stderr.take().expect("messages")));
    assert_eq!(lines.next().expect("a line").expect("text"), "error: building");
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(sent.success());
    let said: Vec<String> = lines.map(|line| line.expect("text")).collect();
    assert_eq!(said, ["", "Interrupted; nothing is lost. The same command goes on where it stopped."]);
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
}
