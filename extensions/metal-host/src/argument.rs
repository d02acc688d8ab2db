//! Arguments of a launch. The first is `[[buffer(0)]]`, the next `[[buffer(1)]]`; threadgroup memory counts for itself.

use std::marker::PhantomData;

/// Numbers that a buffer can hold.
///
/// # Safety
/// Every pattern of bits is a value, and the type has no padding: kernels write anything.
pub unsafe trait Element: Copy {}
macro_rules! elements {
    ($($t:ty),*) => { $(
        // SAFETY: a plain number, every pattern of its bits is a value.
        unsafe impl Element for $t {}
    )* };
}
elements!(u8, i8, u16, i16, u32, i32, u64, i64, f32);
// SAFETY: an array of plain values has no padding between them.
unsafe impl<T: Element, const N: usize> Element for [T; N] {}

/// What a kernel does with a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// It reads.
    Read,
    /// It writes before it reads. What the buffer held before is not the kernel's business: checks replace it.
    Write,
    /// It reads and writes.
    ReadWrite,
}

pub(crate) enum Form {
    /// Borrowed memory, for as long as the argument lives.
    Buffer { pointer: *mut u8, bytes: usize, access: Access },
    /// A copy of a small constant, and its length in bytes. In numbers of 16 bytes, because a float4 in it is read as one.
    Bytes(Vec<u128>, usize),
    /// Nothing at this index.
    Unbound,
    /// So many bytes for the next `[[threadgroup(n)]]` parameter.
    Threadgroup(usize),
}

/// One argument.
pub struct Arg<'a> {
    pub(crate) form: Form,
    borrowed: PhantomData<&'a mut [u8]>,
}

impl<'a> Arg<'a> {
    fn of(form: Form) -> Self {
        Arg { form, borrowed: PhantomData }
    }

    /// A buffer that the kernel reads.
    pub fn input<T: Element>(values: &'a [T]) -> Self {
        let bytes = size_of_val(values);
        Self::of(Form::Buffer { pointer: values.as_ptr() as *mut u8, bytes, access: Access::Read })
    }

    /// A buffer that the kernel fills. Checks fill it with nonsense first: what MLX hands a kernel is not zero either.
    pub fn output<T: Element>(values: &'a mut [T]) -> Self {
        let bytes = size_of_val(values);
        Self::of(Form::Buffer { pointer: values.as_mut_ptr().cast(), bytes, access: Access::Write })
    }

    /// A buffer that the kernel reads and changes, such as the target of atomic additions.
    pub fn in_out<T: Element>(values: &'a mut [T]) -> Self {
        let bytes = size_of_val(values);
        Self::of(Form::Buffer { pointer: values.as_mut_ptr().cast(), bytes, access: Access::ReadWrite })
    }

    /// A constant, as `setBytes` passes it: a number or an array of numbers.
    pub fn value<T: Element>(value: T) -> Self {
        // SAFETY: an Element is plain memory without padding, and the slice lives as long as `value`.
        let bytes = unsafe { std::slice::from_raw_parts((&raw const value).cast::<u8>(), size_of::<T>()) };
        Self::bytes(bytes)
    }

    /// A constant of any layout, such as a `struct` of the kernel.
    pub fn bytes(bytes: &[u8]) -> Self {
        let block = |chunk: &[u8]| {
            let mut block = [0; 16];
            block[..chunk.len()].copy_from_slice(chunk);
            u128::from_ne_bytes(block)
        };
        Self::of(Form::Bytes(bytes.chunks(16).map(block).collect(), bytes.len()))
    }

    /// Leaves this index without a buffer.
    pub fn unbound() -> Self {
        Self::of(Form::Unbound)
    }

    /// So many bytes for the next `[[threadgroup(n)]]` parameter, as `setThreadgroupMemoryLength` asks for them.
    pub fn threadgroup_memory(bytes: usize) -> Self {
        Self::of(Form::Threadgroup(bytes))
    }

    /// Memory by its address, for arrays that other libraries own.
    ///
    /// # Safety
    /// `pointer` must stay valid for `bytes` bytes while the argument lives: for reading, and unless `access` is `Read`,
    /// for writing with nobody else reading or writing.
    pub unsafe fn raw(pointer: *mut u8, bytes: usize, access: Access) -> Self {
        Self::of(Form::Buffer { pointer, bytes, access })
    }

    pub(crate) fn access(&self) -> Access {
        match self.form {
            Form::Buffer { access, .. } => access,
            _ => Access::Read,
        }
    }

    /// What is bound: address and length.
    pub(crate) fn memory(&self) -> Option<(*mut u8, usize)> {
        match &self.form {
            Form::Buffer { pointer, bytes, .. } => Some((*pointer, *bytes)),
            Form::Bytes(blocks, bytes) => Some((blocks.as_ptr() as *mut u8, *bytes)),
            Form::Unbound | Form::Threadgroup(_) => None,
        }
    }
}
