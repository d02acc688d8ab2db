//! An NVIDIA GPU: the card, its driver, and CUDA's libraries for the MLX that computes on it. Nothing needs one.
//!
//! What `nvidia-smi` answers flows in, so that every case can be looked at on any machine.

use std::fs;

use super::apple_tools::Ask;
use super::check::{Check, Need};
use crate::commands::setup;
use crate::workspace::Workspace;

/// The oldest driver that CUDA 13 runs on.
const OLDEST_DRIVER: u32 = 580;
/// The oldest generation of cards that CUDA 13 has code for: Turing.
const OLDEST_COMPUTE: (u32, u32) = (7, 5);
/// What is asked of `nvidia-smi`.
const QUERY: &str = "nvidia-smi --query-gpu=name,driver_version,memory.total,compute_cap --format=csv,noheader";
/// How to compute without one.
const ON_THE_CPU: &str = "compute on the CPU: cargo xtask setup --backend cpu";
/// How to get a driver.
const INSTALL: &str = "install NVIDIA's driver 580 or newer and restart: sudo apt-get install nvidia-driver (Debian), sudo \
                       ubuntu-drivers install (Ubuntu)";

/// The first card, as its driver describes it.
#[derive(Debug, PartialEq, Eq)]
struct Card {
    name: String,
    driver: String,
    mebibytes: u64,
    compute: (u32, u32),
}

/// All of them. `has_card` says whether a card is plugged in, driver or not.
pub fn checks(ask: Ask, has_card: bool, workspace: &Workspace) -> Vec<Check> {
    let mut checks = of_card(ask, has_card);
    let on_cuda = setup::on_cuda(workspace);
    if on_cuda || checks.len() > 1 && checks.iter().all(|check| check.fine) {
        checks.push(libraries(on_cuda, workspace));
    }
    checks
}

/// What stops an MLX for CUDA from running here, with what to do instead.
pub fn stops_cuda(ask: Ask, has_card: bool) -> Option<String> {
    let missing = of_card(ask, has_card).into_iter().find(|check| !check.fine || check.found == NONE)?;
    let fix = if missing.fix.is_empty() { ON_THE_CPU.to_string() } else { format!("{}; or {ON_THE_CPU}", missing.fix) };
    Some(format!("{}; {fix}", if missing.fine { "there is no NVIDIA GPU here".to_string() } else { missing.found }))
}

/// Whether everything that CUDA asks of the machine is here.
pub fn is_ready(ask: Ask) -> bool {
    of_card(ask, false).iter().all(|check| check.fine && check.found != NONE)
}

/// Whether a display controller of NVIDIA's is plugged in, as Linux lists it.
pub fn has_card() -> bool {
    let devices = fs::read_dir("/sys/bus/pci/devices").into_iter().flatten().flatten();
    devices.map(|device| device.path()).any(|device| {
        let says = |file: &str, begins: &str| {
            fs::read_to_string(device.join(file)).is_ok_and(|text| text.trim().starts_with(begins))
        };
        says("vendor", "0x10de") && says("class", "0x03")
    })
}

const NONE: &str = "none: MLX computes on the CPU";

/// The card and the driver, or one line about what is missing.
fn of_card(ask: Ask, has_card: bool) -> Vec<Check> {
    let (name, need) = ("NVIDIA GPU", Need::Optional);
    let answer = ask(QUERY);
    let text = answer.text.trim();
    let says = format!("nvidia-smi says: {}", text.lines().next().unwrap_or("nothing"));
    let missing = |found: &str, fix: &str| vec![Check::missing(name, need, found, fix)];
    match answer.code {
        None if has_card => missing("there is a card, and no driver for it", INSTALL),
        None => vec![Check::fine(name, need, NONE)],
        Some(_) if text.contains("No devices were found") => missing(
            "the driver finds no card",
            "look at what it says: sudo dmesg | grep -i nvidia; a restart helps after the driver was updated",
        ),
        Some(_) if text.contains("version mismatch") => {
            missing("the driver was updated while its older version runs", "restart the machine")
        }
        Some(_) if text.contains("couldn't communicate") => missing(
            "the driver does not run",
            "restart the machine; where that does not help, install NVIDIA's driver again, with the headers of this kernel",
        ),
        Some(0) => match text.lines().next().and_then(card) {
            Some(card) => of(&card),
            None => missing(&says, INSTALL),
        },
        Some(_) => missing(&says, INSTALL),
    }
}

/// `NVIDIA H200, 580.159.04, 143771 MiB, 9.0`; a name may hold commas.
fn card(line: &str) -> Option<Card> {
    let mut fields = line.rsplitn(4, ',').map(str::trim);
    let (major, minor) = fields.next()?.split_once('.')?;
    let compute = (major.parse().ok()?, minor.parse().ok()?);
    let mebibytes = fields.next()?.strip_suffix("MiB")?.trim().parse().ok()?;
    Some(Card { driver: fields.next()?.to_string(), name: fields.next()?.to_string(), mebibytes, compute })
}

fn of(card: &Card) -> Vec<Check> {
    let need = Need::Optional;
    let (major, minor) = card.compute;
    let memory = card.mebibytes as f64 / 1024.0;
    let gpu = match card.compute < OLDEST_COMPUTE {
        true => Check::missing(
            "NVIDIA GPU",
            need,
            format!("{}, compute capability {major}.{minor}, is older than 7.5", card.name),
            "nothing to mend: CUDA 13 has no code for it, and MLX computes on the CPU",
        ),
        false => Check::fine("NVIDIA GPU", need, format!("{}, {memory:.1} GB, compute {major}.{minor}", card.name)),
    };
    let version = card.driver.split('.').next().and_then(|major| major.parse::<u32>().ok());
    let driver = match version >= Some(OLDEST_DRIVER) {
        true => Check::fine("NVIDIA driver", need, card.driver.clone()),
        false => Check::missing(
            "NVIDIA driver",
            need,
            format!("{} is older than {OLDEST_DRIVER}, which CUDA 13 needs", card.driver),
            INSTALL,
        ),
    };
    vec![gpu, driver]
}

/// CUDA's libraries, where MLX is set up for them.
fn libraries(on_cuda: bool, workspace: &Workspace) -> Check {
    let name = "CUDA";
    if !on_cuda {
        let fix = "to compute on the GPU: cargo xtask setup --backend cuda (up to 1.4 GB to download)";
        return Check::missing(name, Need::Optional, "MLX is set up for the CPU", fix);
    }
    let stamp = fs::read_to_string(workspace.root().join(".mlx/stamps/nvidia")).unwrap_or_default();
    let lines: Vec<&str> = stamp.lines().take_while(|line| *line != "files").collect();
    match lines.is_empty() {
        false => Check::fine(name, Need::Optional, lines.join(", ")),
        true => Check::missing(
            name,
            Need::Optional,
            "MLX is set up for CUDA, and its libraries are gone",
            "cargo xtask setup --backend cuda",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::super::apple_tools::Answer;
    use super::*;

    const H200: &str = "NVIDIA H200, 580.159.04, 143771 MiB, 9.0\n";

    fn smi(code: Option<i32>, text: &'static str) -> impl Fn(&str) -> Answer {
        move |asked: &str| {
            assert_eq!(asked, QUERY);
            Answer { code, text: text.to_string() }
        }
    }

    fn only(code: Option<i32>, text: &'static str, has_card: bool) -> Check {
        let mut checks = of_card(&smi(code, text), has_card);
        assert_eq!(checks.len(), 1, "{checks:?}");
        checks.remove(0)
    }

    #[test]
    fn a_card_with_its_driver() {
        let found: Vec<_> = of_card(&smi(Some(0), H200), true).into_iter().map(|check| check.found).collect();
        assert_eq!(found, ["NVIDIA H200, 140.4 GB, compute 9.0", "580.159.04"]);
        assert_eq!(stops_cuda(&smi(Some(0), H200), true), None);
        let two = "NVIDIA H200, 580.159.04, 143771 MiB, 9.0\nNVIDIA H200, 580.159.04, 143771 MiB, 9.0\n";
        assert!(is_ready(&smi(Some(0), two)));
    }

    #[test]
    fn a_driver_or_a_card_that_is_too_old() {
        let old = "Tesla T4, 535.183.01, 15360 MiB, 7.5\n";
        let checks = of_card(&smi(Some(0), old), true);
        assert!(checks[0].fine && !checks[1].fine, "{checks:?}");
        assert_eq!(checks[1].found, "535.183.01 is older than 580, which CUDA 13 needs");
        let stops = stops_cuda(&smi(Some(0), old), true).expect("it stops CUDA");
        assert!(
            stops.starts_with("535.183.01 is older than 580, which CUDA 13 needs; install NVIDIA's driver"),
            "{stops}"
        );
        assert!(stops.ends_with("; or compute on the CPU: cargo xtask setup --backend cpu"), "{stops}");
        let volta = "Tesla V100-SXM2-16GB, 580.65.06, 16384 MiB, 7.0\n";
        let checks = of_card(&smi(Some(0), volta), true);
        assert_eq!(checks[0].found, "Tesla V100-SXM2-16GB, compute capability 7.0, is older than 7.5");
        assert!(!is_ready(&smi(Some(0), volta)));
    }

    #[test]
    fn no_card_is_nothing_to_mend_and_offers_the_cpu() {
        let none = only(None, "", false);
        assert!(none.fine, "{none:?}");
        assert_eq!(none.found, "none: MLX computes on the CPU");
        let stops = stops_cuda(&smi(None, ""), false).expect("it stops CUDA");
        assert_eq!(stops, "there is no NVIDIA GPU here; compute on the CPU: cargo xtask setup --backend cpu");
        assert!(!is_ready(&smi(None, "")));
    }

    #[test]
    fn a_driver_that_is_missing_or_does_not_run() {
        assert_eq!(only(None, "", true).found, "there is a card, and no driver for it");
        let fails = "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the latest \
                     NVIDIA driver is installed and running.\n";
        assert_eq!(only(Some(9), fails, true).found, "the driver does not run");
        assert_eq!(only(Some(6), "No devices were found\n", true).found, "the driver finds no card");
        let mismatch = "Failed to initialize NVML: Driver/library version mismatch\nNVML library version: 580.95\n";
        let check = only(Some(18), mismatch, true);
        assert_eq!(
            (check.found.as_str(), check.fix.as_str()),
            ("the driver was updated while its older version runs", "restart the machine")
        );
        assert_eq!(only(Some(255), "Unable to talk\n", true).found, "nvidia-smi says: Unable to talk");
        assert_eq!(only(Some(0), "\n", true).found, "nvidia-smi says: nothing");
    }

    #[test]
    fn a_name_with_commas_is_read_from_the_right() {
        let read = card("NVIDIA GB10, Grace Blackwell, 580.95.05, 122572 MiB, 12.1").expect("a card");
        assert_eq!((read.name.as_str(), read.compute), ("NVIDIA GB10, Grace Blackwell", (12, 1)));
        assert_eq!(card("NVIDIA GB10, 580.95.05, [N/A], 12.1"), None);
    }

    #[test]
    fn libraries_are_listed_once_mlx_is_set_up_for_them() {
        let folder = tempfile::tempdir().expect("a folder");
        let workspace = Workspace::at(folder.path());
        let of_machine = |ask: Ask| checks(ask, true, &workspace);
        let offered = of_machine(&smi(Some(0), H200)).pop().expect("CUDA");
        assert!(!offered.fine && offered.fix.contains("cargo xtask setup --backend cuda"), "{offered:?}");
        assert_eq!(of_machine(&smi(None, "")).len(), 1, "nothing is offered without a driver");
        fs::create_dir_all(folder.path().join(".mlx/mlx/include/cccl")).expect("a folder");
        assert!(!of_machine(&smi(Some(0), H200)).pop().expect("CUDA").fine, "no libraries yet");
        fs::create_dir_all(folder.path().join(".mlx/stamps")).expect("a folder");
        let stamp = "libcudnn.so.9 from nvidia-cudnn-cu13 9.19.0.56\nlibnccl.so.2 of the system\nfiles\n12 nvidia/x\n";
        fs::write(folder.path().join(".mlx/stamps/nvidia"), stamp).expect("a file");
        let there = of_machine(&smi(Some(0), H200)).pop().expect("CUDA");
        assert_eq!(there.found, "libcudnn.so.9 from nvidia-cudnn-cu13 9.19.0.56, libnccl.so.2 of the system");
    }
}
