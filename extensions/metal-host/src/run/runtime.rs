//! The C++ runtime, loaded once for every compiler that made one.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use libloading::Library;

use super::ffi;
use crate::error::{Error, Result};

/// The runtime's functions. They stay valid because the library is never closed: its threads live as long as the process.
pub(crate) struct Runtime {
    pub run: ffi::Run,
    pub constant_set: ffi::ConstantSet,
    pub constants_clear: ffi::ConstantsClear,
    pub switch_kind: ffi::SwitchKind,
    pub buffer_map: ffi::BufferMap,
    pub buffer_unmap: ffi::BufferUnmap,
    pub buffer_dirty: ffi::BufferDirty,
    pub variable: ffi::Variable,
    /// Held while a kernel library is loaded: its function constants are read from the runtime then.
    pub loading: Mutex<()>,
    /// Held during a guarded launch, until what it says about variables is read.
    pub launching: Mutex<()>,
}

impl Runtime {
    /// The runtime of this file.
    pub fn load(path: &Path) -> Result<Arc<Runtime>> {
        static LOADED: Mutex<Option<HashMap<PathBuf, Arc<Runtime>>>> = Mutex::new(None);
        let mut loaded = LOADED.lock().unwrap_or_else(|broken| broken.into_inner());
        let loaded = loaded.get_or_insert_default();
        if let Some(runtime) = loaded.get(path) {
            return Ok(runtime.clone());
        }
        // SAFETY: a library that this crate compiled; its constructors only read weak symbols.
        let library = unsafe { Library::new(path) }.map_err(|e| Error::Load(e.to_string()))?;
        // SAFETY: the types are those of cpp/include/mh/host.h, and the library stays loaded (below).
        let runtime = unsafe {
            Runtime {
                run: symbol(&library, "mh_run")?,
                constant_set: symbol(&library, "mh_constant_set")?,
                constants_clear: symbol(&library, "mh_constants_clear")?,
                switch_kind: symbol(&library, "mh_switch_kind")?,
                buffer_map: symbol(&library, "mh_buffer_map")?,
                buffer_unmap: symbol(&library, "mh_buffer_unmap")?,
                buffer_dirty: symbol(&library, "mh_buffer_dirty")?,
                variable: symbol(&library, "mh_variable")?,
                loading: Mutex::new(()),
                launching: Mutex::new(()),
            }
        };
        std::mem::forget(library);
        let runtime = Arc::new(runtime);
        loaded.insert(path.into(), runtime.clone());
        Ok(runtime)
    }
}

/// A symbol of a library.
///
/// # Safety
/// `T` must be the symbol's type, and the library must stay loaded while it is used.
pub(crate) unsafe fn symbol<T: Copy>(library: &Library, name: &str) -> Result<T> {
    // SAFETY: the caller's promise.
    unsafe { library.get::<T>(name.as_bytes()) }.map(|s| *s).map_err(|e| Error::Load(e.to_string()))
}
