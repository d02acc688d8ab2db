//! Whose engine computes: in go the arguments of `generate` and its kind, out come the package to run and what is left of them.

use anyhow::{Context, bail, ensure};

use crate::manifest::Manifest;

/// The engine that a command runs on, and the arguments for it.
#[derive(Debug, PartialEq, Eq)]
pub struct EngineChoice {
    /// `week1`, `solution-week1` or `solution-baseline`.
    pub package: String,
    /// Everything that does not choose the engine, in its order.
    pub rest: Vec<String>,
    /// Whether `--help` is among it.
    pub asks_for_help: bool,
    /// Whether the reference is to stand below the learner's week.
    pub reference_base: bool,
}

impl EngineChoice {
    /// Reads `--who you|ref|mlx` (or `--solution`), `--week N` (or `--loader weekN`) and `--base ref`; the default is the
    /// reference of Week 1.
    pub fn of(arguments: &[String], manifest: &Manifest) -> anyhow::Result<Self> {
        let (mut who, mut week, mut base, mut rest, mut asks_for_help) = (None, None, None, Vec::new(), false);
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            let (flag, value) = match argument.split_once('=') {
                Some((flag, value)) => (flag, Some(value)),
                None => (argument.as_str(), None),
            };
            let slot = match flag {
                "--who" | "--solution" => &mut who,
                "--week" | "--loader" => &mut week,
                "--base" => &mut base,
                "--" => {
                    rest.push(argument.clone());
                    rest.extend(arguments.cloned());
                    break;
                }
                "--prompt" | "--system" if value.is_none() => {
                    // What follows is text, even where it looks like a flag.
                    rest.push(argument.clone());
                    rest.extend(arguments.next().cloned());
                    continue;
                }
                "--help" | "-h" => {
                    asks_for_help = true;
                    rest.push(argument.clone());
                    continue;
                }
                _ => {
                    rest.push(argument.clone());
                    continue;
                }
            };
            let value = value.or_else(|| arguments.next().map(String::as_str));
            let value = value.with_context(|| format!("{flag} needs a value"))?;
            ensure!(
                slot.is_none(),
                "the engine is chosen twice: {flag} {value} comes after another choice of the same"
            );
            ensure!(flag != "--base" || value == "ref", "--base is `{value}`, but it must be ref");
            *slot = Some((flag.to_string(), value.to_string()));
        }
        let week = week_package(week, manifest)?;
        let (flag, who) = who.unwrap_or_else(|| ("--who".to_string(), "ref".to_string()));
        let package = match who.as_str() {
            "you" | "tiny_llm" => week,
            "ref" | "tiny_llm_ref" => format!("solution-{week}"),
            "mlx" => "solution-baseline".to_string(),
            other => bail!("{flag} is `{other}`, but it must be you, ref or mlx"),
        };
        Ok(Self { package, rest, asks_for_help, reference_base: base.is_some() })
    }
}

/// The learner's package of the week that `--week 1` or `--loader week1` names.
fn week_package(week: Option<(String, String)>, manifest: &Manifest) -> anyhow::Result<String> {
    let Some((flag, value)) = week else { return Ok(manifest.week(1)?.package.clone()) };
    let number = value.strip_prefix("week").filter(|_| flag == "--loader").unwrap_or(&value);
    let number = number
        .parse()
        .ok()
        .with_context(|| format!("{flag} is `{value}`, but it must be the number of a week, such as 1"))?;
    let week = manifest.week(number)?;
    let state = if week.later { "has not been written yet" } else { "is not written in full yet" };
    // A week's engine begins with its first day.
    ensure!(
        week.days.first().is_some_and(|day| !day.later),
        "Week {number} ({}) {state}; its engine comes in a later version of the course. Use --week 2",
        week.title
    );
    Ok(week.package.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choose(arguments: &[&str]) -> Result<EngineChoice, String> {
        let manifest = Manifest::parse(include_str!("../course.toml")).expect("the course's manifest");
        let arguments: Vec<String> = arguments.iter().map(|argument| argument.to_string()).collect();
        EngineChoice::of(&arguments, &manifest).map_err(|error| format!("{error:#}"))
    }

    fn package(arguments: &[&str]) -> String {
        choose(arguments).expect("a choice").package
    }

    #[test]
    fn every_spelling_finds_its_package() {
        assert_eq!(package(&[]), "solution-week1");
        assert_eq!(package(&["--who", "you"]), "week1");
        assert_eq!(package(&["--who=mlx", "--week=1"]), "solution-baseline");
        assert_eq!(package(&["--solution", "tiny_llm", "--loader", "week1"]), "week1");
        assert_eq!(package(&["--solution", "tiny_llm_ref"]), "solution-week1");
        assert_eq!(package(&["--solution", "ref", "--loader", "1"]), "solution-week1");
        assert_eq!(package(&["--week", "2", "--checkpoint", "kv-cache"]), "solution-week2");
        assert_eq!(package(&["--who", "you", "--loader", "week2"]), "week2");
        assert_eq!(package(&["--week", "3"]), "solution-week3");
    }

    #[test]
    fn the_base_is_no_argument_of_the_engine() {
        let choice = choose(&["--week=2", "--base", "ref", "--who", "you", "--prompt", "--base"]).expect("a choice");
        assert_eq!((choice.package.as_str(), choice.reference_base), ("week2", true));
        assert_eq!(choice.rest, ["--prompt", "--base"]);
        assert!(!choose(&["--who", "you"]).expect("a choice").reference_base);
        assert_eq!(choose(&["--base", "you"]), Err("--base is `you`, but it must be ref".to_string()));
    }

    #[test]
    fn all_else_goes_on_in_its_order() {
        let choice = choose(&["--prompt", "a=b", "--who", "you", "--temp=0.7", "--", "--who"]).expect("a choice");
        assert_eq!(choice.rest, ["--prompt", "a=b", "--temp=0.7", "--", "--who"]);
    }

    #[test]
    fn the_text_of_a_prompt_is_never_a_flag() {
        let choice = choose(&["--prompt", "--who", "--who", "you", "--system", "-h"]).expect("a choice");
        assert_eq!(choice.package, "week1");
        assert_eq!(choice.rest, ["--prompt", "--who", "--system", "-h"]);
        assert!(!choice.asks_for_help);
        assert!(choose(&["--prompt", "x", "--help"]).expect("a choice").asks_for_help);
    }

    #[test]
    fn wrong_choices_name_the_flag_and_the_value() {
        let wrong = |arguments: &[&str]| choose(arguments).expect_err("a wrong choice");
        assert_eq!(wrong(&["--who", "me"]), "--who is `me`, but it must be you, ref or mlx");
        assert_eq!(wrong(&["--solution=x"]), "--solution is `x`, but it must be you, ref or mlx");
        assert_eq!(wrong(&["--week", "week1"]), "--week is `week1`, but it must be the number of a week, such as 1");
        assert_eq!(wrong(&["--week", "0"]), "there is no week 0: the course has weeks 1 to 3");
        assert_eq!(wrong(&["--who"]), "--who needs a value");
        assert!(wrong(&["--who", "you", "--solution", "ref"]).starts_with("the engine is chosen twice"));
    }
}
