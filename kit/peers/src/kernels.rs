//! The tables of kernels: a line of the ledger in, Markdown for each of its kernels out.

use serde_json::Value;

use crate::tables::{machine, number, short, with_spread, word};

/// A table a kernel, in the order of the run.
pub(crate) fn tables(line: &Value) -> Vec<(String, String)> {
    let mut tables: Vec<(String, String)> = Vec::new();
    for case in line["kernels"].as_array().into_iter().flatten() {
        let kernel = word(&case["kernel"]);
        if tables.last().is_none_or(|(last, _)| *last != kernel) {
            tables.push((kernel.clone(), heading(line, &kernel)));
        }
        let Some((_, table)) = tables.last_mut() else { continue };
        let memory = number(&case["read_bytes_per_second"]);
        let heading = format!("**{}**, memory reads {} GB/s", word(&case["size"]), short(memory / 1e9));
        table.push_str(&format!("| {heading} | | | | | |\n"));
        table.push_str(&form(case, "MLX's own operator", &case["mlx"]));
        for step in case["steps"].as_array().into_iter().flatten() {
            // The sources say `vectors: codes are taken where ..`; the first words are the step's name.
            let changed = word(&step["changed"]);
            let name = format!("{}, {}", step["step"], changed.split(':').next().unwrap_or(&changed));
            match step["open"].as_str() {
                Some(task) => table.push_str(&format!("| {name} | task {task} is open | | | | |\n")),
                None => table.push_str(&form(case, &name, &step["seconds"])),
            }
        }
    }
    tables.iter_mut().for_each(|(_, table)| table.push('\n'));
    tables
}

/// A row: what took `seconds` for the bytes and operations of `case`.
fn form(case: &Value, name: &str, seconds: &Value) -> String {
    let (median, range) = (number(&seconds["median"]), number(&seconds["range"]));
    let rate = number(&case["bytes"]) / median;
    format!(
        "| {name} | {} | {} | {:.0} % | {} | {}x |\n",
        with_spread(median * 1e3, range * 1e3 / 2.0),
        short(rate / 1e9),
        100.0 * rate / number(&case["read_bytes_per_second"]),
        short(number(&case["flops"]) / median / 1e9),
        short(number(&case["mlx"]["median"]) / median),
    )
}

fn heading(line: &Value, kernel: &str) -> String {
    format!(
        "`{kernel}`, median of {} rounds ± half the range; {}:\n\n\
         | form | ms | GB/s | of the bandwidth | GFLOP/s | times MLX |\n| --- | ---: | ---: | ---: | ---: | ---: |\n",
        line["rounds"],
        machine(line),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn each_kernel_has_a_table_of_its_sizes() {
        // As `cargo xtask bench kernels --json` prints it.
        let case = |kernel: &str, size: &str| {
            json!({ "kernel": kernel, "size": size, "bytes": 3_000_000, "flops": 5_000_000,
                "read_bytes_per_second": 1.5e10, "read_bytes_per_second_four_streams": 2e10,
                "mlx": { "median": 3e-3, "range": 2e-4 },
                "steps": [
                    { "step": 1, "changed": "naive a|b: one after the other", "seconds": { "median": 2.5e-4, "range": 2e-5 },
                      "to_mlx": 12.0, "of_memory": 0.8 },
                    { "step": 2, "changed": "vectors", "open": "2.3.3" },
                ] })
        };
        let mut line = json!({ "commit": "abc1234", "threads": 2, "rounds": 9,
            "machine": { "os": "linux", "arch": "x86_64", "cpu": "A CPU", "features": ["avx2"] } });
        line["kernels"] = json!([case("matvec", "1x2"), case("matvec", "8x2"), case("rope", "4x4")]);
        let tables = tables(&line);
        let (name, matvec) = &tables[0];
        assert_eq!((tables.len(), name.as_str()), (2, "matvec"));
        for row in [
            "`matvec`, median of 9 rounds ± half the range; A CPU, 2 threads (avx2), linux x86_64, commit abc1234:",
            "| **1x2**, memory reads 15.0 GB/s | | | | | |",
            "| **8x2**, memory reads 15.0 GB/s | | | | | |",
            "| MLX's own operator | 3.00 ± 0.10 | 1.00 | 7 % | 1.67 | 1.00x |",
            "| 1, naive a/b | 0.25 ± 0.01 | 12.0 | 80 % | 20.0 | 12.0x |",
            "| 2, vectors | task 2.3.3 is open | | | | |",
        ] {
            assert!(matvec.lines().any(|line| line == row), "no line {row}\n{matvec}");
        }
        assert!(tables[1].0 == "rope" && tables[1].1.contains("**4x4**"), "{}", tables[1].1);
    }
}
