//! A part of `law parity`, which compares thousands of rows.

use kit::Result;
use solution_law::parity;

#[test]
fn the_device_keeps_its_promise_on_random_rows() -> Result<()> {
    // Every kind of row, under each of 20 settings.
    let table = parity::run(160)?;
    assert_eq!(table.laws(), 3200);
    assert!(table.holds(), "{table}");
    Ok(())
}
