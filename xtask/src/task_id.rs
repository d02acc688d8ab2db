//! The name of a task: `week.day.task`.

use std::fmt;
use std::str::FromStr;

use anyhow::bail;

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
