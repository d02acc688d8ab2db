//! The manifest `xtask/course.toml`: in comes its text, out come weeks, days and tasks in the order of the course.
//!
//! Questions about a week, a day or a task that does not exist are answered with a sentence naming the valid ones.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use anyhow::{Context, bail, ensure};

use crate::manifest_reader::Table;
use crate::workspace::Workspace;

/// The whole course.
pub struct Manifest {
    /// In order, numbered from 1.
    pub weeks: Vec<Week>,
}

/// One week of the course.
pub struct Week {
    /// From 1.
    pub number: u8,
    /// As headings name it: `From matmul to text`.
    pub title: String,
    /// The learner's package: `week1`.
    pub package: String,
    /// Named, but without tasks in this version.
    pub later: bool,
    /// In order, numbered from 1.
    pub days: Vec<Day>,
}

impl Week {
    /// Whether every day has its tasks; a week with a day that comes later has no engine yet.
    pub fn is_whole(&self) -> bool {
        !self.later && self.days.iter().all(|day| !day.later)
    }
}

/// One day of a week.
pub struct Day {
    /// From 1.
    pub number: u8,
    /// As headings name it: `Sampling`.
    pub title: String,
    /// Named, but without tasks in this version; then `chapter` and `test` are empty.
    pub later: bool,
    /// Below `book/src`: `week1-07-sampling.md`.
    pub chapter: String,
    /// The test target of the week's package: `day7`.
    pub test: String,
    /// In order of their ids.
    pub tasks: Vec<Task>,
}

/// One thing to write.
pub struct Task {
    /// `week.day.task`.
    pub id: TaskId,
    /// As reports and the chapter's heading name it: `top-k`.
    pub title: String,
    /// The learner's package; the solution is in `solutions/PACKAGE`.
    pub package: String,
    /// Below the package's folder: `src/sampler.rs`.
    pub file: String,
    /// The function whose inside is the main region: `top_k` or `RoPE::forward`.
    pub item: String,
    /// The page below `book/src` that teaches it: the day's chapter, unless the task names its own.
    pub chapter: String,
    /// The section of that page: `task-172-top-k`.
    pub anchor: String,
    /// The test target of the package: the day's, unless the task names its own.
    pub test: String,
    /// About how many lines the learner writes.
    pub lines: u32,
    /// The day passes without it.
    pub optional: bool,
}

/// `week.day.task`, such as `1.7.2`; orders as the course does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TaskId {
    /// From 1.
    pub week: u8,
    /// From 1.
    pub day: u8,
    /// From 1; numbers of tasks that went are not used again.
    pub task: u8,
}

impl FromStr for TaskId {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let numbers: Vec<Option<u8>> = text.split('.').map(|part| part.parse().ok().filter(|n| *n > 0)).collect();
        match numbers[..] {
            [Some(week), Some(day), Some(task)] => Ok(Self { week, day, task }),
            _ => bail!("`{text}` is not a task id; ids read week.day.task, such as 1.7.2"),
        }
    }
}

impl fmt::Display for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.week, self.day, self.task)
    }
}

impl Task {
    /// The prefix of the names of its tests: `task_2_`.
    pub fn test_prefix(&self) -> String {
        format!("task_{}_", self.id.task)
    }

    /// The learner's file, below the repository: `week1/src/sampler.rs`.
    pub fn path(&self) -> String {
        format!("{}/{}", self.package, self.file)
    }

    /// The reference's file, below the repository: `solutions/week1/src/sampler.rs`.
    pub fn solution_path(&self) -> String {
        format!("solutions/{}", self.path())
    }
}

impl Manifest {
    /// Reads `xtask/course.toml`; an error names the line.
    pub fn load(workspace: &Workspace) -> anyhow::Result<Self> {
        let path = workspace.root().join("xtask/course.toml");
        let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        Self::parse(&text)
    }

    /// The manifest in a text; errors begin with `xtask/course.toml:LINE:`.
    pub fn parse(text: &str) -> anyhow::Result<Self> {
        let course = Table::parse("xtask/course.toml", text)?;
        let weeks = course.tables("week")?.iter().map(read_week).collect::<anyhow::Result<Vec<_>>>()?;
        course.finish(&["week"])?;
        let manifest = Self { weeks };
        ensure!(!manifest.weeks.is_empty(), "xtask/course.toml has no week");
        for (index, week) in manifest.weeks.iter().enumerate() {
            ensure!(usize::from(week.number) == index + 1, "xtask/course.toml: week {} is out of order", week.number);
        }
        let mut seen = BTreeSet::new();
        for task in manifest.tasks() {
            ensure!(seen.insert(task.id), "xtask/course.toml: task {} is listed twice", task.id);
        }
        Ok(manifest)
    }

    /// The week of that number, or the valid numbers.
    pub fn week(&self, number: u8) -> anyhow::Result<&Week> {
        self.weeks
            .iter()
            .find(|week| week.number == number)
            .with_context(|| format!("there is no week {number}: the course has weeks 1 to {}", self.weeks.len()))
    }

    /// The day of that week, or the valid numbers.
    pub fn day(&self, week: u8, day: u8) -> anyhow::Result<&Day> {
        let week = self.week(week)?;
        week.days.iter().find(|candidate| candidate.number == day).with_context(|| {
            format!("there is no day {day} in week {}: it has days 1 to {}", week.number, week.days.len())
        })
    }

    /// The task of that id, or the ids of its day.
    pub fn task(&self, id: &str) -> anyhow::Result<&Task> {
        let id: TaskId = id.parse()?;
        let day = self.day(id.week, id.day).with_context(|| format!("there is no task {id}"))?;
        day.tasks.iter().find(|task| task.id == id).with_context(|| {
            let ids: Vec<String> = day.tasks.iter().map(|task| task.id.to_string()).collect();
            match ids.is_empty() {
                true if self.week(id.week).is_ok_and(|week| week.later) => {
                    format!("there is no task {id}: week {} comes in a later version", id.week)
                }
                true => format!("there is no task {id}: day {}.{} comes in a later version", id.week, id.day),
                false => format!("there is no task {id}: its day has {}", ids.join(", ")),
            }
        })
    }

    /// What comes later, before that task: `Week 2 and Week 3 Days 1 to 6`; `None` where the way is without a gap.
    pub fn missing_before(&self, task: TaskId) -> Option<String> {
        let mut gaps: Vec<String> = Vec::new();
        for week in self.weeks.iter().take_while(|week| week.number <= task.week) {
            let ahead = week.days.iter().take_while(|day| week.number < task.week || day.number < task.day);
            let later: Vec<u8> = ahead.filter(|day| day.later).map(|day| day.number).collect();
            gaps.extend(match later[..] {
                [] => None,
                _ if week.later => Some(format!("Week {}", week.number)),
                [only] => Some(format!("Week {} Day {only}", week.number)),
                [first, .., last] if usize::from(last - first) + 1 == later.len() => {
                    Some(format!("Week {} Days {first} to {last}", week.number))
                }
                _ => Some(format!("{} days of Week {}", later.len(), week.number)),
            });
        }
        (!gaps.is_empty()).then(|| gaps.join(" and "))
    }

    /// Every task, in the order of the course.
    pub fn tasks(&self) -> impl Iterator<Item = &Task> {
        self.weeks.iter().flat_map(|week| &week.days).flat_map(|day| &day.tasks)
    }
}

fn read_week(table: &Table<'_>) -> anyhow::Result<Week> {
    let number = table.number("number")?;
    let package = table.text("package")?;
    let later = table.flag("later")?;
    let days =
        table.tables("day")?.iter().map(|day| read_day(day, number, &package, later)).collect::<Result<Vec<_>, _>>()?;
    for (index, day) in days.iter().enumerate() {
        ensure!(
            usize::from(day.number) == index + 1,
            table.error(&format!("day {number}.{} is out of order", day.number))
        );
    }
    let week = Week { number, title: table.text("title")?, package, later, days };
    table.finish(&["number", "title", "package", "later", "day"])?;
    Ok(week)
}

fn read_day(table: &Table<'_>, week: u8, package: &str, later: bool) -> anyhow::Result<Day> {
    let number = table.number("number")?;
    let title = table.text("title")?;
    if later || table.flag("later")? {
        table.finish(&["number", "title", "later"])?;
        let (chapter, test) = (String::new(), String::new());
        return Ok(Day { number, title, later: true, chapter, test, tasks: Vec::new() });
    }
    let (chapter, test) = (table.text("chapter")?, table.text("test")?);
    let read = |task: &Table<'_>| read_task(task, package, &chapter, &test);
    let tasks = table.tables("task")?.iter().map(read).collect::<anyhow::Result<Vec<_>>>()?;
    ensure!(!tasks.is_empty(), table.error("a day that is not `later` needs a task"));
    for task in &tasks {
        let misplaced = task.id.week != week || task.id.day != number;
        ensure!(!misplaced, table.error(&format!("task {} is listed under day {week}.{number}", task.id)));
    }
    for pair in tasks.windows(2) {
        ensure!(pair[0].id <= pair[1].id, table.error(&format!("task {} is out of order", pair[1].id)));
    }
    table.finish(&["number", "title", "chapter", "test", "task"])?;
    Ok(Day { number, title, later: false, chapter, test, tasks })
}

fn read_task(table: &Table<'_>, package: &str, chapter: &str, test: &str) -> anyhow::Result<Task> {
    let task = Task {
        id: table.text("id")?.parse().map_err(|error| table.error(&format!("{error}")))?,
        title: table.text("title")?,
        package: table.optional_text("package")?.unwrap_or_else(|| package.to_string()),
        file: table.text("file")?,
        item: table.text("item")?,
        chapter: table.optional_text("chapter")?.unwrap_or_else(|| chapter.to_string()),
        anchor: table.text("anchor")?,
        test: table.optional_text("test")?.unwrap_or_else(|| test.to_string()),
        lines: table.number("lines")?.into(),
        optional: table.flag("optional")?,
    };
    table.finish(&["id", "title", "package", "file", "item", "chapter", "anchor", "test", "lines", "optional"])?;
    Ok(task)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = r#"
[[week]]
number = 1
title = "One"
package = "week1"
[[week.day]]
number = 1
title = "First"
chapter = "c.md"
test = "day1"
[[week.day.task]]
id = "1.1.1"
title = "linear"
file = "src/basics.rs"
item = "linear"
anchor = "task-111-linear"
lines = 12
[[week]]
number = 2
title = "Two"
package = "week2"
later = true
day = [{ number = 1, title = "Later" }]
"#;

    fn complaint(from: &str, to: &str) -> String {
        let text = SMALL.replacen(from, to, 1);
        assert_ne!(text, SMALL, "the edit `{from}` changes nothing");
        format!("{:#}", Manifest::parse(&text).err().expect("a manifest with a mistake"))
    }

    fn question<T>(answer: anyhow::Result<T>) -> String {
        format!("{:#}", answer.err().expect("a question without an answer"))
    }

    #[test]
    fn the_course_is_readable_and_complete() {
        let manifest = Manifest::parse(include_str!("../course.toml")).expect("the manifest of this course");
        assert_eq!(manifest.weeks.iter().map(|week| week.days.len()).collect::<Vec<_>>(), [7, 7, 7]);
        assert_eq!(manifest.tasks().filter(|task| task.package == "week1").count(), 25);
        assert_eq!(manifest.task("1.7.2").expect("a task of Day 7").path(), "week1/src/sampler.rs");
    }

    #[test]
    fn questions_beyond_the_course_name_the_valid_range() {
        let manifest = Manifest::parse(SMALL).expect("a right manifest");
        assert_eq!(question(manifest.week(0)), "there is no week 0: the course has weeks 1 to 2");
        assert_eq!(question(manifest.day(1, 9)), "there is no day 9 in week 1: it has days 1 to 1");
        assert_eq!(question(manifest.task("1.1.7")), "there is no task 1.1.7: its day has 1.1.1");
        assert_eq!(question(manifest.task("2.1.1")), "there is no task 2.1.1: week 2 comes in a later version");
        assert!(question(manifest.task("top_k")).contains("`top_k` is not a task id"));
        assert!(question(manifest.task("1.0.1")).contains("`1.0.1` is not a task id"));
    }

    #[test]
    fn a_week_may_have_some_days_before_others() {
        let week = "[[week]]\nnumber = 3\ntitle = \"Three\"\npackage = \"week3\"\n[[week.day]]\nnumber = 1\ntitle = \"a\"\n\
                    later = true\n[[week.day]]\nnumber = 2\ntitle = \"b\"\nlater = true\n[[week.day]]\nnumber = 3\n\
                    title = \"c\"\nchapter = \"c.md\"\ntest = \"day3\"\n[[week.day.task]]\nid = \"3.3.1\"\ntitle = \"t\"\n\
                    file = \"f\"\nitem = \"i\"\nanchor = \"a\"\nlines = 1\n";
        let manifest = Manifest::parse(&format!("{SMALL}{week}")).expect("a right manifest");
        let whole: Vec<bool> = manifest.weeks.iter().map(Week::is_whole).collect();
        assert_eq!(whole, [true, false, false]);
        assert_eq!(question(manifest.task("3.1.1")), "there is no task 3.1.1: day 3.1 comes in a later version");
        let missing = |id: &str| manifest.missing_before(id.parse().expect("an id"));
        assert_eq!(missing("3.3.1").as_deref(), Some("Week 2 and Week 3 Days 1 to 2"));
        assert_eq!(missing("1.1.1"), None);
    }

    #[test]
    fn every_mistake_is_named_with_its_line() {
        assert_eq!(complaint("[[week]]\nnumber = 1\n", "[[week]]\n"), "xtask/course.toml:2: `number` is missing");
        assert!(complaint("title = \"linear\"", "titel = \"linear\"").ends_with("`title` is missing"));
        assert!(complaint("lines = 12", "lines = 12\nline = 1").ends_with("`line` is not a known key"));
        assert!(
            complaint("number = 1", "number = \"1\"").contains(":3: `number` must be a whole number from 1 to 255")
        );
        assert!(complaint("number = 1", "number = 0").contains("whole number from 1 to 255"));
        assert!(complaint("later = true", "later = 1").contains("`later` must be true or false"));
        assert!(complaint("title = \"One\"", "title = 1").contains("`title` must be a text in quotes"));
        assert!(complaint("id = \"1.1.1\"", "id = \"1.1\"").contains("`1.1` is not a task id"));
        assert!(complaint("id = \"1.1.1\"", "id = \"1.2.1\"").contains("task 1.2.1 is listed under day 1.1"));
        assert!(complaint("number = 2", "number = 3").contains("week 3 is out of order"));
        assert!(complaint("[[week]]", "[[week").starts_with("xtask/course.toml:2: "));
        let again = "lines = 12\n[[week.day.task]]\nid = \"1.1.1\"\ntitle = \"x\"\nfile = \"f\"\nitem = \"i\"\nanchor = \"a\"\nlines = 1\n";
        assert!(complaint("lines = 12\n", again).contains("task 1.1.1 is listed twice"));
    }

    #[test]
    fn ids_order_as_the_course_does() {
        let id = |text: &str| text.parse::<TaskId>().expect("an id");
        assert!(id("1.7.10") > id("1.7.9") && id("2.1.1") > id("1.7.10"));
        assert_eq!(id("1.7.10").to_string(), "1.7.10");
    }
}
