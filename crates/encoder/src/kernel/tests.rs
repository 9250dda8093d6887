//! Every kernel that runs here against the scalar one: the same integers, the same bits.

use super::*;
use crate::ENCODER;
use crate::math;
use crate::reader::{RELATION, SENTENCE};
use crate::shape::{GROUP, HIDDEN, INNER, PANEL, packed_index};
use proptest::prelude::*;

fn available() -> impl Iterator<Item = (Kernel, Proof)> {
    Kernel::ALL.into_iter().filter_map(|kernel| Some((kernel, kernel.proof()?)))
}

/// Numbers without a pattern, the same in each run.
fn noise(seed: u64) -> impl Iterator<Item = u64> {
    let mut state = seed | 1;
    std::iter::repeat_with(move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    })
}

fn panel(proof: Proof, rows: &[u8], width: usize, weights: &[i8]) -> Vec<[i32; PANEL]> {
    let mut sums = vec![[7; PANEL]; rows.len() / width];
    with_kernel!(proof, kernel => kernel.panel(rows, width, weights, &mut sums));
    sums
}

#[test]
fn the_scalar_panel_is_a_matrix_product() {
    let (width, count) = (8, 3);
    let rows: Vec<u8> = noise(1).take(width * count).map(|value| value as u8).collect();
    let matrix: Vec<i8> = noise(2).take(width * PANEL).map(|value| value as i8).collect();
    let mut packed = vec![0; matrix.len()];
    for output in 0..PANEL {
        for input in 0..width {
            packed[packed_index(width, output, input)] = matrix[output * width + input];
        }
    }
    for (row, sums) in rows.chunks(width).zip(panel(Proof::default(), &rows, width, &packed)) {
        for (weights, sum) in matrix.chunks(width).zip(sums) {
            let products = row.iter().zip(weights).map(|(&left, &right)| i32::from(left) * i32::from(right));
            assert_eq!(products.sum::<i32>(), sum);
        }
    }
}

#[test]
fn panels_agree_for_every_number_of_rows() {
    for (kernel, proof) in available() {
        for count in 1..=14 {
            for width in [GROUP, HIDDEN, INNER] {
                let rows: Vec<u8> = noise(3).take(count * width).map(|value| value as u8).collect();
                let weights: Vec<i8> = noise(4).take(width * PANEL).map(|value| value as i8).collect();
                let expected = panel(Proof::default(), &rows, width, &weights);
                assert_eq!(panel(proof, &rows, width, &weights), expected, "{kernel:?}, {count} rows of {width}");
            }
        }
    }
}

/// The products that overflow 16 bits when added in pairs.
#[test]
fn panels_agree_at_the_extremes() {
    for (kernel, proof) in available() {
        for byte in [0, 127, 128, 255] {
            for weight in [i8::MIN, -127, 0, 127] {
                let (rows, weights) = (vec![byte; 2 * INNER], vec![weight; INNER * PANEL]);
                let sum = i32::from(byte) * i32::from(weight) * INNER as i32;
                assert_eq!(panel(proof, &rows, INNER, &weights), [[sum; PANEL]; 2], "{kernel:?}");
            }
        }
    }
}

#[test]
fn scans_agree_and_are_scalar_products() {
    let rows: Vec<[i8; HIDDEN]> = noise(5).take(9).map(byte_row).chain([[i8::MIN; HIDDEN]]).collect();
    for query in [byte_row(6), [i8::MIN; HIDDEN], [i8::MAX; HIDDEN]] {
        let products = |row: &[i8; HIDDEN]| -> i32 {
            row.iter().zip(&query).map(|(&left, &right)| i32::from(left) * i32::from(right)).sum()
        };
        let expected: Vec<i32> = rows.iter().map(products).collect();
        for (kernel, proof) in available() {
            let mut sums = vec![0; rows.len()];
            proof.scan(&query, &rows, &mut sums);
            assert_eq!(sums, expected, "{kernel:?}");
        }
    }
}

fn byte_row(seed: u64) -> [i8; HIDDEN] {
    let mut values = noise(seed);
    std::array::from_fn(|_| values.next().unwrap_or(0) as i8)
}

#[test]
fn whole_passes_give_the_same_bits() {
    for count in [1, 2, 3, 16, 17, 21, 33] {
        let tokens: Vec<u32> = noise(7).take(count).map(|value| (value % 30522) as u32).collect();
        for (trunk, second) in [(&ENCODER, count), (&RELATION, count / 2), (&SENTENCE, count / 2)] {
            let bits =
                |proof: Proof| proof.hidden(trunk, &tokens, second).into_iter().map(f32::to_bits).collect::<Vec<_>>();
            let expected = bits(Proof::default());
            for (kernel, proof) in available() {
                assert_eq!(bits(proof), expected, "{kernel:?}, {count} tokens");
            }
        }
    }
}

#[test]
fn a_pass_survives_no_tokens_too_many_and_unknown_numbers() {
    for (_, proof) in available() {
        for trunk in [&ENCODER, &RELATION, &SENTENCE] {
            assert!(proof.hidden(trunk, &[], 0).is_empty());
            for second in [0, 7, 500, usize::MAX] {
                assert!(proof.hidden(trunk, &[u32::MAX; 500], second).iter().all(|value| value.is_finite()));
            }
        }
    }
}

#[test]
fn some_kernel_always_runs() {
    assert!(Kernel::Scalar.is_available());
    assert!(Kernel::best().is_available());
}

proptest! {
    #[test]
    fn exp_is_close_and_the_same_everywhere(x in -100.0f32..80.0) {
        let expected = f64::from(x.max(-87.0)).exp();
        for (kernel, proof) in available() {
            let values = with_kernel!(proof, k => k.array(math::exp(k, k.splat(x))));
            let scalar = with_kernel!(Proof::default(), k => k.array(math::exp(k, k.splat(x))));
            prop_assert_eq!(values.map(f32::to_bits), scalar.map(f32::to_bits), "{:?}", kernel);
            prop_assert!((f64::from(values[3]) / expected - 1.0).abs() < 1e-6);
        }
    }

    #[test]
    fn bytes_are_half_a_step_off_at_most(values in prop::collection::vec(-9.0f32..9.0, 32)) {
        for (kernel, proof) in available() {
            let mut bytes = [0; 32];
            let (low, step) = with_kernel!(proof, k => math::to_bytes(k, &values, &mut bytes));
            for (value, byte) in values.iter().zip(bytes) {
                let error = (low + step * f32::from(byte) - value).abs();
                prop_assert!(error <= step * 0.501, "{:?}: {value} became {byte}", kernel);
            }
        }
    }

    #[test]
    fn gelu_is_close(x in -12.0f32..12.0) {
        for (_, proof) in available() {
            let mut values = [x; LANES];
            with_kernel!(proof, k => math::gelu_in_place(k, &mut values));
            prop_assert!((f64::from(values[0]) - exact_gelu(f64::from(x))).abs() < 2e-6);
        }
    }

    #[test]
    fn a_normed_row_has_mean_and_variance(values in prop::collection::vec(-50.0f32..50.0, HIDDEN)) {
        for (_, proof) in available() {
            let mut row = values.clone();
            with_kernel!(proof, k => math::layer_norm(k, &mut row, &[2.0; HIDDEN], &[1.0; HIDDEN]));
            let mean = row.iter().sum::<f32>() / HIDDEN as f32;
            let variance = row.iter().map(|value| (value - mean).powi(2)).sum::<f32>() / HIDDEN as f32;
            prop_assert!((mean - 1.0).abs() < 1e-3 && (variance - 4.0).abs() < 1e-2, "{mean} {variance}");
        }
    }
}

/// Uses Φ(x) = ½ + density · (x + x³/3 + x⁵/15 + …).
fn exact_gelu(x: f64) -> f64 {
    let (mut term, mut sum) = (x, x);
    for step in 1..300 {
        term *= x * x / f64::from(2 * step + 1);
        sum += term;
    }
    x * (0.5 + (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt() * sum)
}
