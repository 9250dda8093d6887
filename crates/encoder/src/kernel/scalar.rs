//! The kernel that runs anywhere, and that the others must agree with.

use super::{Arithmetic, Floats, LANES};
use crate::forward::{self, Trunk};
use crate::shape::{GROUP, HIDDEN, PANEL};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Scalar;

fn pairs(left: [f32; LANES], right: [f32; LANES], join: impl Fn(f32, f32) -> f32) -> [f32; LANES] {
    std::array::from_fn(|lane| join(left[lane], right[lane]))
}

impl Floats for Scalar {
    type Lanes = [f32; LANES];

    fn splat(self, value: f32) -> Self::Lanes {
        [value; LANES]
    }

    fn load(self, values: &[f32; LANES]) -> Self::Lanes {
        *values
    }

    fn array(self, lanes: Self::Lanes) -> [f32; LANES] {
        lanes
    }

    fn from_integers(self, values: &[i32; LANES]) -> Self::Lanes {
        values.map(|value| value as f32)
    }

    fn add(self, left: Self::Lanes, right: Self::Lanes) -> Self::Lanes {
        pairs(left, right, |left, right| left + right)
    }

    fn sub(self, left: Self::Lanes, right: Self::Lanes) -> Self::Lanes {
        pairs(left, right, |left, right| left - right)
    }

    fn mul(self, left: Self::Lanes, right: Self::Lanes) -> Self::Lanes {
        pairs(left, right, |left, right| left * right)
    }

    fn div(self, left: Self::Lanes, right: Self::Lanes) -> Self::Lanes {
        pairs(left, right, |left, right| left / right)
    }

    fn min(self, left: Self::Lanes, right: Self::Lanes) -> Self::Lanes {
        pairs(left, right, |left, right| if left < right { left } else { right })
    }

    fn max(self, left: Self::Lanes, right: Self::Lanes) -> Self::Lanes {
        pairs(left, right, |left, right| if left > right { left } else { right })
    }

    fn times_power(self, lanes: Self::Lanes, power: Self::Lanes) -> Self::Lanes {
        pairs(lanes, power, |value, power| f32::from_bits(value.to_bits().wrapping_add(power.to_bits() << 23)))
    }

    fn low_bytes(self, lanes: Self::Lanes) -> [u8; LANES] {
        lanes.map(|value| value.to_bits() as u8)
    }
}

impl Arithmetic for Scalar {
    fn hidden(self, trunk: &Trunk, tokens: &[u32], second: usize) -> Vec<f32> {
        forward::hidden(self, trunk, tokens, second)
    }

    fn panel(self, rows: &[u8], width: usize, weights: &[i8], sums: &mut [[i32; PANEL]]) {
        let (steps, _) = weights.as_chunks::<{ PANEL * GROUP }>();
        for (row, sums) in rows.chunks_exact(width).zip(sums) {
            *sums = [0; PANEL];
            for (inputs, step) in row.as_chunks::<GROUP>().0.iter().zip(steps) {
                for (sum, weights) in sums.iter_mut().zip(step.as_chunks::<GROUP>().0) {
                    for (&input, &weight) in inputs.iter().zip(weights) {
                        *sum += i32::from(input) * i32::from(weight);
                    }
                }
            }
        }
    }

    fn scan(self, query: &[i8; HIDDEN], rows: &[[i8; HIDDEN]], sums: &mut [i32]) {
        for (row, sum) in rows.iter().zip(sums) {
            let products = row.iter().zip(query);
            *sum = products.map(|(&left, &right)| i32::from(left) * i32::from(right)).sum();
        }
    }
}
