//! The command line of the engine on MLX's own operators.

use std::process::ExitCode;

fn main() -> ExitCode {
    kit::front_end::main_by_stage("mlx", 1, solution_baseline::load, &[])
}
