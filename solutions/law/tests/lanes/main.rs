//! One suite for every lane of the temper-first law: what the f64 law on the host promises, the device promises too.
//!
//! A test is a function of a lane. It runs once on the host and once on the device, under the same name.

mod lane;
mod statistics;

mod batches;
mod draws;
mod filter_first;
mod filters;
mod penalties;
mod ranking;
mod refusals;
mod speculation;
mod temperatures;

mod device_only;
mod parity;

/// Runs every function of the list on both lanes.
#[macro_export]
macro_rules! on_both_lanes {
    ($($name:ident)*) => {
        mod host {
            $(#[test] fn $name() -> kit::Result<()> { super::$name(&$crate::lane::Host) })*
        }
        mod device {
            $(#[test] fn $name() -> kit::Result<()> { super::$name(&$crate::lane::Device) })*
        }
    };
}
