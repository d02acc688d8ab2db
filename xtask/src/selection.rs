//! Which week, day and task a command is about: its flags, and the sentences for flags that do not fit.

use anyhow::{Context, bail};
use clap::{Arg, ArgMatches};

use crate::manifest::{Day, Manifest, Task, Week};

/// What the flags select, from a week to a task.
#[derive(Clone, Copy)]
pub struct Selection<'m> {
    /// The week; it has been written.
    pub week: &'m Week,
    /// The day, if one was asked for.
    pub day: Option<&'m Day>,
    /// The task, if one was asked for.
    pub task: Option<&'m Task>,
}

/// `--week`
pub fn week_flag() -> Arg {
    number_flag("week", "W", "The week, from 1")
}

/// `--day`
pub fn day_flag() -> Arg {
    number_flag("day", "D", "The day of the week, from 1")
}

/// `--task`
pub fn task_flag() -> Arg {
    number_flag("task", "T", "The task of the day, from 1")
}

fn number_flag(name: &'static str, value: &'static str, help: &'static str) -> Arg {
    let number = |text: &str| text.parse::<u8>().map_err(|_| "it must be a whole number such as 1");
    Arg::new(name).long(name).value_name(value).help(help).value_parser(number).allow_negative_numbers(true)
}

impl<'m> Selection<'m> {
    /// Reads the flags; `None` when none of them is given.
    pub fn of(arguments: &ArgMatches, manifest: &'m Manifest) -> anyhow::Result<Option<Self>> {
        let number = |name: &str| arguments.try_get_one::<u8>(name).ok().flatten().copied();
        let (week, day, task) = match (number("week"), number("day"), number("task")) {
            (None, None, None) => return Ok(None),
            (None, Some(day), _) => {
                bail!("--day {day} needs its week too, such as --week 1 --day {day}; {}", weeks(manifest))
            }
            (_, None, Some(task)) => {
                bail!("--task {task} needs its week and its day too, such as --week 1 --day 1 --task {task}")
            }
            (Some(week), day, task) => (manifest.week(week)?, day, task),
        };
        let day = day.map(|day| manifest.day(week.number, day)).transpose()?;
        if week.later || day.is_some_and(|day| day.later) {
            let written: Vec<String> = manifest.weeks.iter().flat_map(written_of).collect();
            let what = day.map_or(String::new(), |day| format!(" Day {}, {},", day.number, day.title));
            bail!(
                "Week {} ({}){what} has not been written yet; it comes in a later version of the course. Written so far: {}",
                week.number,
                week.title,
                written.join(", ")
            );
        }
        let task = match (day, task) {
            (Some(day), Some(task)) => Some(task_of(week, day, task)?),
            _ => None,
        };
        Ok(Some(Self { week, day, task }))
    }
}

/// `Week 1`, or `Week 3 Day 7` for each day of a week with days that are still to come.
fn written_of(week: &Week) -> Vec<String> {
    if week.is_whole() {
        return vec![format!("Week {}", week.number)];
    }
    let days = week.days.iter().filter(|day| !day.later);
    days.map(|day| format!("Week {} Day {}", week.number, day.number)).collect()
}

fn task_of<'m>(week: &Week, day: &'m Day, number: u8) -> anyhow::Result<&'m Task> {
    day.tasks.iter().find(|task| task.id.task == number).with_context(|| {
        let numbers: Vec<String> = day.tasks.iter().map(|task| task.id.task.to_string()).collect();
        format!(
            "there is no task {number} in Week {} Day {}: its tasks are {}",
            week.number,
            day.number,
            numbers.join(", ")
        )
    })
}

/// `the course has weeks 1 to 3`
fn weeks(manifest: &Manifest) -> String {
    format!("the course has weeks 1 to {}", manifest.weeks.len())
}
