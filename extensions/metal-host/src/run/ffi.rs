//! The runtime's structures, as in `cpp/include/mh/abi.h` and `host.h`.

use std::ffi::{c_char, c_int, c_void};

pub(crate) const TG_ARGS: usize = 8;
pub(crate) const WAITS: usize = 8;

pub(crate) const RANDOM: u32 = 1;
pub(crate) const REVERSE: u32 = 2;
pub(crate) const INTERLEAVE: u32 = 4;
pub(crate) const STRICT: u32 = 8;
pub(crate) const FRONT: u32 = 32;
pub(crate) const TIGHT: u32 = 64;

pub(crate) const BUFFER: u8 = 1;
pub(crate) const TG_ARG: u8 = 2;

#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Param {
    pub kind: u8,
    pub index: u8,
    pub writable: u8,
    pub is_value: u8,
    pub element: u32,
    pub optional: u32,
}

#[repr(C)]
pub(crate) struct Kernel {
    pub name: *const c_char,
    one: *const c_void,
    all: *const c_void,
    pub param_count: u32,
    pub params: *const Param,
    pub names: *const *const c_char,
    pub synchronises: u32,
    pub max_threads: u32,
    pub atomics: u32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct U3 {
    pub x: u32,
    pub y: u32,
    pub z: u32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Site {
    pub what: *const c_char,
    pub file: *const c_char,
    pub line: i32,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Who {
    pub in_group: U3,
    pub group: U3,
    pub in_grid: U3,
    pub simd: u32,
    pub lane: u32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Wait {
    pub site: Site,
    pub count: u32,
    pub first: Who,
}

pub(crate) mod kind {
    pub const FAULT: u32 = 1;
    pub const DIVISION: u32 = 2;
    pub const MISALIGNED: u32 = 3;
    pub const STACK: u32 = 4;
    pub const DIVERGED: u32 = 5;
    pub const RETURNED: u32 = 6;
    pub const OVERRUN: u32 = 7;
    pub const ENDLESS: u32 = 8;
}
pub(crate) mod region {
    pub const IN_BUFFER: u32 = 1;
    pub const IN_VARIABLE: u32 = 2;
    pub const IN_TG_ARG: u32 = 3;
    pub const NULL: u32 = 4;
}

#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Fault {
    pub kind: u32,
    pub region: u32,
    /// 0 read, 1 write, 2 not known.
    pub access: u32,
    pub index: u32,
    pub offset: i64,
    pub size: u64,
    pub address: u64,
    pub pc: u64,
    pub module_base: u64,
    pub module: [c_char; 512],
    pub variable: Site,
    pub has_who: u32,
    pub wait_count: u32,
    pub live: u32,
    pub returned: u32,
    pub who: Who,
    pub wait: [Wait; WAITS],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Note {
    pub present: u32,
    pub ran: u32,
    pub live: u32,
    pub elsewhere: u32,
    pub site: Site,
    pub other: Site,
    pub who: Who,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Buffer {
    pub base: *mut u8,
    pub size: u64,
    pub map: *mut u8,
    pub map_size: u64,
}

impl Buffer {
    pub const NONE: Buffer = Buffer { base: std::ptr::null_mut(), size: 0, map: std::ptr::null_mut(), map_size: 0 };
}

#[repr(C)]
pub(crate) struct Launch {
    pub kernel: *const Kernel,
    pub buffers: *const Buffer,
    pub buffer_count: u32,
    pub grid: [u32; 3],
    pub group: [u32; 3],
    pub by_threads: u32,
    pub tg_args: [u64; TG_ARGS],
    pub flags: u32,
    pub workers: u32,
    pub seed: u64,
    pub limit: u32,
    pub fill: u32,
    pub fill_other: u32,
    pub other: u32,
    pub nanoseconds: f64,
    pub threads: u64,
    pub groups: u64,
    pub switches: u64,
    pub simd_operations: u64,
    pub barriers: u64,
    pub divergent: u64,
    pub tg_bytes: u64,
    pub fault: Fault,
    pub note: Note,
}

pub(crate) type Run = unsafe extern "C" fn(*mut Launch) -> c_int;
pub(crate) type ConstantSet = unsafe extern "C" fn(u32, *const c_char, *const c_void, u32);
pub(crate) type ConstantsClear = unsafe extern "C" fn();
pub(crate) type SwitchKind = unsafe extern "C" fn() -> *const c_char;
pub(crate) type BufferMap = unsafe extern "C" fn(*mut Buffer, u64, u32, u32) -> c_int;
pub(crate) type BufferUnmap = unsafe extern "C" fn(*mut Buffer);
pub(crate) type BufferDirty = unsafe extern "C" fn(*const Buffer, u32) -> c_int;
pub(crate) type Variable = unsafe extern "C" fn(u32) -> *const Site;
