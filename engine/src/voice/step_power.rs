//! Powers of the exact step of one frame, for eight modes side by side, and the states that they advance.

use urto_physics::modal::StepTable;

/// Modes side by side, and frames of one mode side by side.
pub(super) const LANES: usize = 8;

/// Maximum number of control blocks that begin with one state, and that one power advances.
pub(super) const PAIR: usize = 2;

/// Eight modes side by side.
pub(super) type Eight = [f64; LANES];

/// Entries 11, 12, 21, 22 of a power of A, eight modes side by side.
pub(super) type Power = [[f64; LANES]; 4];

/// One chunk of eight modes as a value.
#[inline(always)]
fn lanes(array: &[f64], chunk: usize) -> [f64; LANES] {
    array.as_chunks::<LANES>().0[chunk]
}

/// The step of one frame of chunk number `chunk` of `table`.
#[inline(always)]
pub(super) fn step_of(table: &StepTable, chunk: usize) -> Power {
    // one by one: the compiler calls `map` of an array for each chunk
    [lanes(&table.a11, chunk), lanes(&table.a12, chunk), lanes(&table.a21, chunk), lanes(&table.a22, chunk)]
}

/// The square of a power.
#[inline(always)]
pub(super) fn square([a, b, c, d]: &Power) -> Power {
    let mut squared = [[0.0; LANES]; 4];
    for i in 0..LANES {
        let (cross, trace) = (b[i] * c[i], a[i] + d[i]);
        squared[0][i] = a[i] * a[i] + cross;
        squared[1][i] = b[i] * trace;
        squared[2][i] = c[i] * trace;
        squared[3][i] = d[i] * d[i] + cross;
    }
    squared
}

/// A state after `count` control blocks; `half` is A^8.
#[inline(always)]
pub(super) fn advanced(half: &Power, count: usize, mut state: (Eight, Eight)) -> (Eight, Eight) {
    let block = square(half);
    let pair = square(&block);
    for _ in 0..count / PAIR {
        state = step_on(&pair, state);
    }
    if !count.is_multiple_of(PAIR) {
        state = step_on(&block, state);
    }
    state
}

/// The power that advances a state by `count` control blocks, at least 1; `half` is A^8.
#[inline(always)]
fn power_of_blocks(half: &Power, count: usize) -> Power {
    let block = square(half);
    let (mut power, mut bit) = (block, count.ilog2());
    while bit > 0 {
        bit -= 1;
        power = square(&power);
        if count >> bit & 1 == 1 {
            power = product(&block, &power);
        }
    }
    power
}

/// The powers that advance states by `count` control blocks, at least 1; `halves` are A^8. As many as there is room for.
#[cfg_attr(feature = "simd", multiversion::multiversion(targets("x86_64+avx")))]
pub(super) fn set_powers(powers: &mut [Power], halves: &[Power], count: usize) {
    for (power, half) in powers.iter_mut().zip(halves) {
        *power = power_of_blocks(half, count);
    }
}

/// The product of two powers.
#[inline(always)]
fn product(left: &Power, [a11, a12, a21, a22]: &Power) -> Power {
    let ((b11, b21), (b12, b22)) = (step_on(left, (*a11, *a21)), step_on(left, (*a12, *a22)));
    [b11, b12, b21, b22]
}

/// A state times a factor.
#[inline(always)]
pub(super) fn scaled(factor: f64, (q, v): (Eight, Eight)) -> (Eight, Eight) {
    // from_fn: the compiler calls map for each chunk
    (std::array::from_fn(|i| factor * q[i]), std::array::from_fn(|i| factor * v[i]))
}

/// A power of A times (q, v); the same bits on every processor.
#[inline(always)]
pub(super) fn step_on([a11, a12, a21, a22]: &Power, (q, v): (Eight, Eight)) -> (Eight, Eight) {
    (std::array::from_fn(|i| a11[i] * q[i] + a12[i] * v[i]), std::array::from_fn(|i| a21[i] * q[i] + a22[i] * v[i]))
}
