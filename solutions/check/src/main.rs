//! `cargo xtask check`: a day's functions, the learner's and the reference's, on the same fresh random inputs.
//!
//! In: a day, a number of cases, a seed. Out: a line a function with its worst error and the bound there. Exit code 1
//! when a function differs, 3 when every function is still a stub.

mod day1;
mod day2;
mod day3;
mod day4;
mod day5;
mod day6;
mod day7;
mod draws;
mod inputs;
mod parity;
mod report;

use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::{Arg, value_parser};
use parity::Function;

fn main() -> ExitCode {
    let number = |name: &'static str| Arg::new(name).long(name).value_name("N");
    let matches = clap::Command::new("check")
        .about("The parity part of a day, on its own")
        .arg(number("week").value_parser(value_parser!(u8)).default_value("1"))
        .arg(number("day").value_parser(value_parser!(u8)).required(true))
        .arg(number("task").value_parser(value_parser!(u8)))
        .arg(number("cases").value_parser(value_parser!(u32).range(1..)).default_value("32"))
        .arg(number("seed").value_parser(value_parser!(u64)))
        .get_matches();
    let value = |name: &str| matches.get_one::<u8>(name).copied();
    let (week, day) = (value("week").unwrap_or(1), value("day").unwrap_or(1));
    let Some(functions) = functions_of(week, day) else {
        eprintln!(
            "Week {week}, Day {day} has no comparison on random inputs; its tests judge it: cargo xtask test --week {week} --day {day}"
        );
        return ExitCode::from(2);
    };
    let task = value("task").map(|task| format!("{week}.{day}.{task}"));
    let chosen: Vec<Function> =
        functions.into_iter().filter(|function| task.as_ref().is_none_or(|task| function.task == task)).collect();
    if let (Some(task), true) = (&task, chosen.is_empty()) {
        eprintln!("task {task} has no parity check; test it with: cargo xtask test");
        return ExitCode::from(2);
    }
    let cases = matches.get_one::<u32>("cases").copied().unwrap_or(32);
    let seed = matches.get_one::<u64>("seed").copied().unwrap_or_else(fresh_seed);
    report::run(&format!("Week {week} · Day {day}"), &chosen, cases, seed)
}

/// What a day compares; `None` for a day that compares nothing.
fn functions_of(week: u8, day: u8) -> Option<Vec<Function>> {
    Some(match (week, day) {
        (1, 1) => day1::functions(),
        (1, 2) => day2::functions(),
        (1, 3) => day3::functions(),
        (1, 4) => day4::functions(),
        (1, 5) => day5::functions(),
        (1, 6) => day6::functions(),
        (1, 7) => day7::functions(),
        _ => return None,
    })
}

/// A number that is easy to type again.
fn fresh_seed() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.subsec_micros().into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use inputs::Inputs;
    use parity::{Case, compare};

    #[test]
    fn the_reference_equals_itself_on_every_day() -> kit::Result<()> {
        for (index, function) in (1..=7).flat_map(|day| functions_of(1, day).unwrap_or_default()).enumerate() {
            for number in 1..=2 {
                let mut inputs = Inputs::new(1, index, number);
                let case = (function.case)(&mut inputs)?;
                let worst = compare(&case)?.unwrap_or_else(|what| panic!("{}: {what}", function.name));
                assert_eq!(worst.error, 0.0, "{} on {}", function.name, inputs.words());
            }
        }
        Ok(())
    }

    #[test]
    fn rows_of_one_token_may_be_views() -> kit::Result<()> {
        let view = mlx_rs::ops::broadcast_to(mlx_rs::Array::from_slice(&[0.0_f32], &[1, 1]), &[3, 1])?;
        let drawn = solution_week1::sampler::draw(&view, 1.0, &mlx_rs::random::key(1)?)?;
        assert_eq!(kit::testing::values(&drawn)?, [0.0; 3]);
        assert_eq!(kit::testing::values(&solution_week1::generate::greedy(&view)?)?, [0.0; 3]);
        Ok(())
    }

    #[test]
    fn a_change_of_any_value_is_a_difference() -> kit::Result<()> {
        for (index, function) in (1..=7).flat_map(|day| functions_of(1, day).unwrap_or_default()).enumerate() {
            let mut inputs = Inputs::new(2, index, 1);
            let Case { yours, reference, tolerance } = (function.case)(&mut inputs)?;
            let moved = yours?.into_iter().map(|array| {
                let by = mlx_rs::Array::from_int(1).as_dtype(array.dtype())?;
                Ok(array.add(by)?)
            });
            let case = Case { yours: moved.collect(), reference, tolerance };
            let worst = compare(&case)?.unwrap_or_else(|what| panic!("{}: {what}", function.name));
            assert!(worst.is_difference(), "{} on {}: {worst:?}", function.name, inputs.words());
        }
        Ok(())
    }
}
