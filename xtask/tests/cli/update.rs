//! `cargo xtask update` on scratch repositories: an author changes the course, a learner has solved half of it, and no answer
//! is lost.

use std::process::Command;

use super::scratch::{DAY1, Scratch};

const LINEAR: &str = "\n    // mine: {\n    let product = x * w;\n    Ok(product)\n";
const TOP_K: &str = "\n    let _mine = (k, \"}\");\n    Ok(x)\n";

/// The author's repository and a learner's clone of it.
fn pair(name: &str) -> (Scratch, Scratch) {
    let author = Scratch::course(&format!("{name}-author"));
    author.git(&["init", "--quiet", "--initial-branch", "main"]);
    author.commit("The course");
    let learner = Scratch::empty(&format!("{name}-learner"));
    learner.git(&["clone", "--quiet", &author.root.display().to_string(), "."]);
    learner.pretend_mlx();
    (author, learner)
}

fn solve(learner: &Scratch) {
    learner.edit("week1/src/basics.rs", "\n    kit::stub!(\"1.1.1\", x, w)\n", LINEAR);
    learner.edit("week1/src/sampler.rs", "\n    kit::stub!(\"1.7.2\", x, k)\n", TOP_K);
}

fn backup_commit(learner: &Scratch) -> String {
    let references = learner.git(&["for-each-ref", "--format=%(refname)", "refs/learner-backup"]);
    references.lines().last().expect("a backup").to_string()
}

fn assert_clean(learner: &Scratch) {
    assert_eq!(learner.git(&["status", "--porcelain"]), "");
}

#[test]
fn committed_answers_meet_a_new_signature_new_documentation_and_new_tests() {
    let (author, learner) = pair("committed");
    solve(&learner);
    learner.commit("Half of it");
    learner.xtask(&["copy-test", "--week", "1", "--day", "1"]).expect(0, "");
    author.edit(
        "week1/src/basics.rs",
        "/// `x` times `w`.\npub fn linear(x: f32, w: f32)",
        "/// `x` times `w`, plus `b`.\npub fn linear(x: f32, w: f32, b: f32)",
    );
    author.edit("week1/src/basics.rs", "kit::stub!(\"1.1.1\", x, w)", "kit::stub!(\"1.1.1\", x, w, b)");
    author.edit("week1/src/sampler.rs", "/// Keeps k.", "/// Keeps the k most likely.");
    author.edit(
        "week1/src/sampler.rs",
        "/// Keeps p.\npub fn top_p(x: f32, p: f32)",
        "/// Keeps p.\npub fn top_p(x: f64, p: f64)",
    );
    author.edit("solutions/week1/tests/cases/day1.rs", "6.0", "6.5");
    author.commit("A new version");

    let ran = learner.xtask(&["update"]);
    ran.expect(0, "");
    ran.says("1.1.1 linear: signature and documentation (week1/src/basics.rs)");
    ran.says("1.7.2 top_k: documentation (week1/src/sampler.rs)").says("1.7.3 top_p: signature (week1/src/sampler.rs)");
    ran.says("week1/tests/day1.rs has the new tests").says("2 of your answers are in place");
    let basics = learner.read("week1/src/basics.rs");
    assert!(basics.contains(&format!(
        "/// `x` times `w`, plus `b`.\npub fn linear(x: f32, w: f32, b: f32) -> Result<f32> {{{LINEAR}}}"
    )));
    assert!(basics.contains("kit::stub!(\"1.1.2\", x)"));
    let sampler = learner.read("week1/src/sampler.rs");
    assert!(
        sampler.contains(&format!(
            "/// Keeps the k most likely.\npub fn top_k(x: f32, k: usize) -> Result<f32> {{{TOP_K}}}"
        ))
    );
    assert!(sampler.contains("pub fn top_p(x: f64, p: f64)"));
    assert!(learner.read("week1/tests/day1.rs").contains("6.5"));
    assert_clean(&learner);
    assert_eq!(learner.git(&["log", "-1", "--format=%p"]).split(' ').count(), 2, "a merge of both");
    learner.xtask(&["update"]).expect(0, "").says("Up to date");
}

#[test]
fn answers_in_no_commit_stay_in_no_commit() {
    let (author, learner) = pair("uncommitted");
    learner.edit("week1/src/basics.rs", "\n    kit::stub!(\"1.1.1\", x, w)\n", LINEAR);
    learner.commit("One");
    learner.edit("week1/src/sampler.rs", "\n    kit::stub!(\"1.7.2\", x, k)\n", TOP_K);
    learner.write("week1/src/notes.md", "mine\n");
    author.edit("week1/src/sampler.rs", "pub fn top_k(x: f32, k: usize)", "pub fn top_k(x: f32, k: u32)");
    author.commit("A new version");

    learner.xtask(&["update"]).expect(0, "").says("1.7.2 top_k: signature");
    assert!(
        learner
            .read("week1/src/sampler.rs")
            .contains(&format!("pub fn top_k(x: f32, k: u32) -> Result<f32> {{{TOP_K}}}"))
    );
    assert!(learner.read("week1/src/basics.rs").contains(LINEAR));
    assert_eq!(learner.git(&["status", "--porcelain"]), " M week1/src/sampler.rs\n?? week1/src/notes.md");
    assert!(learner.git(&["show", "HEAD:week1/src/sampler.rs"]).contains("kit::stub!(\"1.7.2\", x, k)"));
    let before = learner.git(&["show", &format!("{}:week1/src/sampler.rs", backup_commit(&learner))]);
    assert!(before.contains(&format!("pub fn top_k(x: f32, k: usize) -> Result<f32> {{{TOP_K}}}")));
    assert_eq!(learner.git(&["show", &format!("{}:week1/src/notes.md", backup_commit(&learner))]), "mine");
}

#[test]
fn renamed_moved_and_removed_functions_lose_no_answer() {
    let (author, learner) = pair("renamed");
    solve(&learner);
    learner.edit("week1/src/basics.rs", "\n    kit::stub!(\"1.1.2\", x)\n", "\n    Ok(x.to_vec())\n");
    learner.edit(
        "week1/src/attention.rs",
        "\n        kit::stub!(\"1.1.4\", self, x)\n    ",
        "\n        Ok(4.0 * x)\n    ",
    );
    learner.commit("Most of it");
    // 1.7.2 has a new name, 1.1.1 another file, 1.1.2 is gone, and 1.1.4's file has a new given line.
    author.edit("week1/src/sampler.rs", "pub fn top_k(", "pub fn keep_top_k(");
    let linear =
        "/// `x` times `w`.\npub fn linear(x: f32, w: f32) -> Result<f32> {\n    kit::stub!(\"1.1.1\", x, w)\n}\n\n";
    author.edit("week1/src/basics.rs", linear, "");
    author.write("week1/src/linear.rs", &format!("//! Moved.\n\nuse kit::Result;\n\n{}\n", linear.trim_end()));
    author.edit("week1/src/basics.rs", "    kit::stub!(\"1.1.2\", x)", "    Ok(given(x))");
    author.edit(
        "week1/src/attention.rs",
        "pub struct SimpleMultiHeadAttention;",
        "pub struct SimpleMultiHeadAttention {}",
    );
    author.commit("A new version");

    let ran = learner.xtask(&["update"]);
    ran.expect(0, "");
    ran.says("1.7.2 top_k is called keep_top_k now; your answer moved with it");
    ran.says("1.1.2 softmax is no longer yours to write; your answer is in .learner/backup/");
    assert!(
        learner
            .read("week1/src/sampler.rs")
            .contains(&format!("pub fn keep_top_k(x: f32, k: usize) -> Result<f32> {{{TOP_K}}}"))
    );
    assert!(
        learner
            .read("week1/src/linear.rs")
            .contains(&format!("pub fn linear(x: f32, w: f32) -> Result<f32> {{{LINEAR}}}"))
    );
    let attention = learner.read("week1/src/attention.rs");
    assert!(attention.contains("Ok(4.0 * x)") && attention.contains("SimpleMultiHeadAttention {}"));
    let folder =
        ran.out.split(".learner/backup/").nth(1).and_then(|rest| rest.split('/').next()).expect("the backup's name");
    assert!(learner.read(&format!(".learner/backup/{folder}/week1/src/basics.rs")).contains("Ok(x.to_vec())"));
    assert_clean(&learner);
}

#[test]
fn own_functions_and_imports_stay_and_what_collides_lies_beside() {
    let (author, learner) = pair("beside");
    learner.edit("week1/src/basics.rs", "\n    kit::stub!(\"1.1.1\", x, w)\n", LINEAR);
    learner.write("week1/src/basics.rs", &format!("{}\nfn own() {{}}\n", learner.read("week1/src/basics.rs")));
    learner.edit("week1/src/sampler.rs", "pub fn top_k(x: f32, k: usize)", "pub fn top_k(values: f32, k: usize)");
    learner.edit("week1/src/sampler.rs", "\n    kit::stub!(\"1.7.2\", x, k)\n", TOP_K);
    learner.edit("week1/src/attention.rs", "kit::stub!(\"1.1.3\", q)\n}", "if q > 0.0 {");
    author.edit("week1/src/basics.rs", "//! Projections.", "//! Projections and weights.");
    author.edit("week1/src/sampler.rs", "pub fn top_k(x: f32, k: usize)", "pub fn top_k(x: f32, k: u32)");
    author.edit(
        "week1/src/attention.rs",
        "pub fn scaled_dot_product_attention(q: f32)",
        "pub fn scaled_dot_product_attention(q: f64)",
    );
    author.edit("week1/src/attention.rs", "kit::stub!(\"1.1.3\", q)", "kit::stub!(\"1.1.3\", &q)");
    author.commit("A new version");
    let (sampler, attention) = (learner.read("week1/src/sampler.rs"), learner.read("week1/src/attention.rs"));

    let ran = learner.xtask(&["update"]);
    ran.expect(0, "");
    ran.says("week1/src/sampler.rs: both versions changed the same lines; yours stays, and the course's is week1/src/sampler.rs.new");
    let basics = learner.read("week1/src/basics.rs");
    assert!(
        basics.starts_with("//! Projections and weights.")
            && basics.contains(LINEAR)
            && basics.ends_with("fn own() {}\n")
    );
    assert_eq!(learner.read("week1/src/sampler.rs"), sampler);
    assert_eq!(learner.read("week1/src/sampler.rs.new"), author.read("week1/src/sampler.rs"));
    assert_eq!(learner.read("week1/src/attention.rs"), attention, "a file in the middle of an edit stays");
    assert_eq!(learner.read("week1/src/attention.rs.new"), author.read("week1/src/attention.rs"));
}

#[test]
fn a_changed_copy_of_a_test_is_backed_up_and_an_untouched_branch_moves_forward() {
    let (author, learner) = pair("tests");
    learner.write("week1/tests/day1.rs", &format!("{DAY1}// mine\n"));
    author.edit("solutions/week1/tests/cases/day1.rs", "6.0", "6.5");
    author.commit("A new version");

    let ran = learner.xtask(&["update", "--from", "origin/main"]);
    ran.expect(0, "").says("week1/tests/day1.rs has the new tests; your version of it is kept in .learner/backup/");
    let kept = ran.out.split("kept in ").nth(1).and_then(|rest| rest.lines().next()).expect("the backup's path");
    assert!(learner.read(kept).ends_with("// mine\n"));
    assert_eq!(learner.git(&["rev-parse", "HEAD"]), author.git(&["rev-parse", "HEAD"]));
    assert_clean(&learner);
}

#[test]
fn an_update_that_stops_in_the_middle_can_be_taken_back_and_repeated() {
    let (author, learner) = pair("stopped");
    solve(&learner);
    author.edit("week1/src/basics.rs", "/// `x` times `w`.", "/// The product.");
    author.write("week1/src/zone.rs", "//! New.\n");
    author.commit("A new version");
    // A folder where the new file must go stops the writing after the files before it.
    std::fs::create_dir_all(learner.root.join("week1/src/zone.rs")).expect("a folder");
    let (basics, sampler) = (learner.read("week1/src/basics.rs"), learner.read("week1/src/sampler.rs"));

    let stopped = learner.xtask(&["update"]);
    stopped.expect(
        2,
        "error: the update stopped in the middle. Nothing is lost; go back with: cargo xtask update --restore",
    );
    assert!(learner.read("week1/src/basics.rs").contains("/// The product."), "it did stop in the middle");
    learner.xtask(&["update"]).expect(2, "error: the last update did not end. Nothing is lost");
    std::fs::remove_dir(learner.root.join("week1/src/zone.rs")).expect("the folder can go");
    learner.edit("week1/src/sampler.rs", "//! Sampling.", "//! Sampling, edited since.");

    learner.xtask(&["update", "--restore"]).expect(0, "").says("as they were before the update");
    assert_eq!(
        (learner.read("week1/src/basics.rs"), learner.read("week1/src/sampler.rs")),
        (basics, sampler.replace("Sampling.", "Sampling, edited since."))
    );
    learner.xtask(&["update"]).expect(0, "");
    assert!(
        learner.read("week1/src/basics.rs").contains(LINEAR)
            && learner.read("week1/src/basics.rs").contains("/// The product.")
    );
    assert_eq!(learner.read("week1/src/zone.rs"), "//! New.\n");
    learner.xtask(&["update", "--restore"]).expect(2, "error: no update was interrupted");
}

#[test]
fn what_cannot_be_updated_is_a_sentence_and_changes_nothing() {
    let (_author, learner) = pair("refused");
    learner
        .xtask(&["update", "--from", "nowhere/main"])
        .expect(2, "error: --from nowhere/main is neither a folder nor a remote's branch; the remotes are: origin");
    learner.git(&["remote", "remove", "origin"]);
    learner.xtask(&["update"]).expect(2, "error: there is no remote `upstream` or `origin`");
    learner.git(&["remote", "add", "upstream", "/nowhere/at/all"]);
    learner.xtask(&["update"]).expect(2, "error: the new version cannot be fetched, and nothing has changed");
    let unrelated = Scratch::course("unrelated");
    unrelated.git(&["init", "--quiet"]);
    unrelated.commit("Another history");
    unrelated.edit("week1/src/lib.rs", "Yours", "Theirs");
    unrelated.commit("More");
    learner
        .xtask(&["update", "--from", &unrelated.root.display().to_string()])
        .expect(2, "error: your branch and the new version have no commit in common");
    assert_eq!(learner.git(&["for-each-ref", "refs/learner-backup"]), "");
    let unpacked = Scratch::course("unpacked");
    unpacked
        .xtask(&["update"])
        .expect(2, "error: an update needs git, and a clone of the course rather than an unpacked archive");
}

#[test]
fn git_in_the_middle_of_a_merge_is_left_alone() {
    let (author, learner) = pair("merging");
    learner.edit("week1/src/lib.rs", "Yours", "Mine");
    learner.commit("Mine");
    author.edit("week1/src/lib.rs", "Yours", "Ours");
    author.commit("Ours");
    learner.git(&["fetch", "--quiet", "origin"]);
    let merge = Command::new("git")
        .args(["-c", "user.name=l", "-c", "user.email=l@l", "merge", "--quiet", "origin/main"])
        .current_dir(&learner.root)
        .output();
    assert!(!merge.expect("git runs").status.success(), "the merge has a conflict");
    learner.xtask(&["update"]).expect(2, "error: git is in the middle of a merge");
}
