//! Which processor features the encoder uses: a [`Kernel`] in, sums of products out.
//!
//! All kernels compute the same integers and the same floating-point operations in the same order, so they give the same
//! bits. One file per kernel; `avx_vnni` and `neon_dot` hold only the integer half and lean on `avx2` and `neon`.
#![allow(unsafe_code, reason = "code for a processor feature may only run where the feature was found")]

mod arithmetic;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx_vnni;
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
mod neon;
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
mod neon_dot;
mod scalar;
#[cfg(target_arch = "x86_64")]
mod vnni;

pub(crate) use arithmetic::{Arithmetic, Floats, LANES};

use crate::forward::Trunk;
use crate::shape::HIDDEN;

/// A way to do the encoder's arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kernel {
    /// x86-64 with AVX-512 and its instructions for byte products.
    Avx512Vnni,
    /// x86-64 with AVX2 and 256-bit instructions for byte products.
    AvxVnni,
    /// x86-64 with AVX2.
    Avx2,
    /// 64-bit ARM with instructions for byte products.
    NeonDot,
    /// 64-bit ARM.
    Neon,
    /// Plain Rust, runs anywhere.
    Scalar,
}

impl Kernel {
    /// Every kernel, the fastest first.
    pub const ALL: [Self; 6] = [Self::Avx512Vnni, Self::AvxVnni, Self::Avx2, Self::NeonDot, Self::Neon, Self::Scalar];

    /// Returns the fastest kernel this processor can run.
    pub fn best() -> Self {
        let found = Self::ALL.into_iter().find(|kernel| kernel.is_available());
        found.unwrap_or(Self::Scalar)
    }

    /// Says whether this processor can run the kernel.
    pub fn is_available(self) -> bool {
        self.proof().is_some()
    }

    #[cfg(target_arch = "x86_64")]
    pub(crate) fn proof(self) -> Option<Proof> {
        match self {
            Self::Avx512Vnni => vnni::Vnni::detect().map(Proof::Vnni),
            Self::AvxVnni => avx2::Avx2::detect_vnni().map(Proof::Avx2),
            Self::Avx2 => avx2::Avx2::detect().map(Proof::Avx2),
            Self::Scalar => Some(Proof::default()),
            Self::NeonDot | Self::Neon => None,
        }
    }

    #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
    pub(crate) fn proof(self) -> Option<Proof> {
        match self {
            Self::NeonDot => neon::Neon::detect_dot().map(Proof::Neon),
            Self::Neon => neon::Neon::detect().map(Proof::Neon),
            Self::Scalar => Some(Proof::default()),
            Self::Avx512Vnni | Self::AvxVnni | Self::Avx2 => None,
        }
    }

    #[cfg(not(any(target_arch = "x86_64", all(target_arch = "aarch64", target_endian = "little"))))]
    pub(crate) fn proof(self) -> Option<Proof> {
        (self == Self::Scalar).then(Proof::default)
    }
}

/// A kernel that was found to run here.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Proof {
    Scalar(scalar::Scalar),
    #[cfg(target_arch = "x86_64")]
    Avx2(avx2::Avx2),
    #[cfg(target_arch = "x86_64")]
    Vnni(vnni::Vnni),
    #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
    Neon(neon::Neon),
}

impl Default for Proof {
    fn default() -> Self {
        Self::Scalar(scalar::Scalar)
    }
}

/// Does the same with whichever kernel it is.
macro_rules! with_kernel {
    ($proof:expr, $kernel:ident => $work:expr) => {
        match $proof {
            Proof::Scalar($kernel) => $work,
            #[cfg(target_arch = "x86_64")]
            Proof::Avx2($kernel) => $work,
            #[cfg(target_arch = "x86_64")]
            Proof::Vnni($kernel) => $work,
            #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
            Proof::Neon($kernel) => $work,
        }
    };
}

impl Proof {
    pub(crate) fn best() -> Self {
        Kernel::best().proof().unwrap_or_default()
    }

    /// The last layer of a trunk, one row per token; the tokens from `second` on are those of the second text of a pair.
    pub(crate) fn hidden(self, trunk: &Trunk, tokens: &[u32], second: usize) -> Vec<f32> {
        with_kernel!(self, kernel => kernel.hidden(trunk, tokens, second))
    }

    pub(crate) fn scan(self, query: &[i8; HIDDEN], rows: &[[i8; HIDDEN]], sums: &mut [i32]) {
        with_kernel!(self, kernel => kernel.scan(query, rows, sums));
    }
}

#[cfg(test)]
mod tests;
