//! A compiled `.metal` source: its kernels, and copies of it with other function constants.

use std::ffi::{CStr, CString};
use std::sync::Arc;

use crate::compile::{Translated, Workshop, file, remove};
use crate::error::{Error, Result};
use crate::kernel::Kernel;
use crate::options::{Options, Source};
use crate::run::{Runtime, ffi, symbol};

/// Compiled kernels, loaded into this process.
#[derive(Clone)]
pub struct Library {
    shared: Arc<Shared>,
}

/// What a library and its kernels have in common.
pub(crate) struct Shared {
    pub workshop: Arc<Workshop>,
    pub runtime: Arc<Runtime>,
    pub constants: Constants,
    table: *const *const ffi::Kernel,
    _loaded: libloading::Library,
}

// SAFETY: the table is constant data of the loaded library, which lives as long as this; nothing else is behind a pointer.
unsafe impl Send for Shared {}
// SAFETY: as above; it is only read.
unsafe impl Sync for Shared {}

impl Library {
    /// Compiles a source, or takes it from the cache. Errors name lines of the `.metal` file.
    pub fn compile(source: &Source, options: &Options) -> Result<Library> {
        let workshop = Arc::new(Workshop::open(source, options)?);
        let runtime = Runtime::load(workshop.runtime())?;
        Library::load(workshop, runtime, Constants::default())
    }

    /// Looks for what Apple's compiler would refuse, as [`Library::compile`] does before it compiles, and no more: a few
    /// hundredths of a second.
    pub fn check(source: &Source, options: &Options) -> Result<()> {
        Translated::of(source, options).map(drop)
    }

    fn load(workshop: Arc<Workshop>, runtime: Arc<Runtime>, constants: Constants) -> Result<Library> {
        let mut path = workshop.library(None)?;
        let own_copy = !constants.values.is_empty();
        if own_copy {
            // A file of its own: a library that is loaded twice by one name is loaded once.
            let copy = workshop.cache.temporary("so");
            std::fs::copy(&path, &copy).map_err(file("copying a compiled file to", &copy))?;
            path = copy;
        }
        let lock = runtime.loading.lock().unwrap_or_else(|broken| broken.into_inner());
        for (key, value) in &constants.values {
            let (index, name) = key.parts();
            // SAFETY: both pointers are valid for the call, which copies what they point to.
            unsafe { (runtime.constant_set)(index, name.as_ptr(), value.bytes.as_ptr().cast(), value.size) };
        }
        // SAFETY: a library that this crate compiled from a kernel; its constructors read function constants.
        let loaded = unsafe { libloading::Library::new(&path) };
        // SAFETY: takes no argument.
        unsafe { (runtime.constants_clear)() };
        drop(lock);
        if own_copy {
            remove(&path);
        }
        let loaded = loaded.map_err(|e| Error::Load(e.to_string()))?;
        // SAFETY: every compiled kernel library ends with this table; `Shared` keeps it loaded.
        let table = unsafe { symbol::<*const *const ffi::Kernel>(&loaded, "mh_kernels")? };
        Ok(Library { shared: Arc::new(Shared { workshop, runtime, constants, table, _loaded: loaded }) })
    }

    /// A copy in which function constants have these values.
    pub fn specialise(&self, constants: &Constants) -> Result<Library> {
        Library::load(self.shared.workshop.clone(), self.shared.runtime.clone(), constants.clone())
    }

    /// The names that kernels can be asked for by.
    pub fn names(&self) -> Vec<String> {
        // SAFETY: a descriptor's name is a constant text of the loaded library.
        let name = |k: *const ffi::Kernel| unsafe { CStr::from_ptr((*k).name) }.to_string_lossy().into_owned();
        self.descriptors().map(name).collect()
    }

    /// The kernel of this name: its `host_name` where it has one, else its function's name.
    pub fn kernel(&self, name: &str) -> Result<Kernel> {
        let names = self.names();
        match names.iter().position(|n| n == name).and_then(|n| self.descriptors().nth(n)) {
            // SAFETY: a descriptor of the table of `shared`, which the kernel keeps.
            Some(descriptor) => Ok(unsafe { Kernel::of(self.shared.clone(), descriptor) }),
            None => Err(Error::NoKernel { name: name.into(), known: names }),
        }
    }

    /// The C++ that the source became, to look at it or to compile it elsewhere.
    pub fn translated(&self) -> &str {
        &self.shared.workshop.translated
    }

    /// How fibers are switched on this machine: `assembly, x86-64`, `assembly, aarch64` or `ucontext`.
    pub fn switch_kind(&self) -> String {
        // SAFETY: returns a constant text of the runtime, which stays loaded.
        unsafe { CStr::from_ptr((self.shared.runtime.switch_kind)()) }.to_string_lossy().into_owned()
    }

    fn descriptors(&self) -> impl Iterator<Item = *const ffi::Kernel> {
        // SAFETY: the table ends with a null pointer, and iteration stops there.
        (0..).map(|n| unsafe { *self.shared.table.add(n) }).take_while(|k| !k.is_null())
    }
}

/// Values of function constants.
#[derive(Clone, Debug, Default)]
pub struct Constants {
    pub(crate) values: Vec<(Key, Value)>,
}

#[derive(Clone, Debug)]
pub(crate) enum Key {
    Index(u32),
    Name(String),
}

impl Key {
    /// Index and name as the runtime takes them: an index that nobody uses stands for the name.
    pub fn parts(&self) -> (u32, CString) {
        match self {
            Key::Index(index) => (*index, CString::default()),
            Key::Name(name) => (u32::MAX, CString::new(name.as_str()).unwrap_or_default()),
        }
    }
}

/// The value of a function constant.
#[derive(Clone, Debug)]
pub struct Value {
    pub(crate) bytes: [u8; 8],
    pub(crate) size: u32,
}

macro_rules! values {
    ($($t:ty),*) => { $(
        impl From<$t> for Value {
            fn from(value: $t) -> Self {
                let mut bytes = [0; 8];
                bytes[..size_of::<$t>()].copy_from_slice(&value.to_le_bytes());
                Value { bytes, size: size_of::<$t>() as u32 }
            }
        }
    )* };
}
values!(u8, i8, u16, i16, u32, i32, u64, i64, f32);

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        u8::from(value).into()
    }
}

impl Constants {
    /// No values.
    pub fn new() -> Self {
        Constants::default()
    }

    /// Sets the constant of this name.
    pub fn name(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.values.push((Key::Name(name.into()), value.into()));
        self
    }

    /// Sets the constant `[[function_constant(index)]]`.
    pub fn index(mut self, index: u32, value: impl Into<Value>) -> Self {
        self.values.push((Key::Index(index), value.into()));
        self
    }
}
