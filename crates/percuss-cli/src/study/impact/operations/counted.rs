//! A number type that counts its arithmetic operations.

use std::cell::Cell;
use std::cmp::Ordering;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub};

/// Numbers of arithmetic operations. Negation and absolute value only change the sign bit and are not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Operations {
    /// Sums and differences.
    pub sums: u64,
    /// Products, including those with powers of two.
    pub products: u64,
    /// Quotients.
    pub quotients: u64,
    /// Square roots.
    pub roots: u64,
    /// Powers, exponentials and logarithms.
    pub powers: u64,
    /// Comparisons.
    pub comparisons: u64,
}

impl Operations {
    const NONE: Self = Self { sums: 0, products: 0, quotients: 0, roots: 0, powers: 0, comparisons: 0 };

    /// Total number.
    pub fn total(&self) -> u64 {
        self.sums + self.products + self.quotients + self.roots + self.powers + self.comparisons
    }
}

impl AddAssign for Operations {
    fn add_assign(&mut self, other: Self) {
        self.sums += other.sums;
        self.products += other.products;
        self.quotients += other.quotients;
        self.roots += other.roots;
        self.powers += other.powers;
        self.comparisons += other.comparisons;
    }
}

thread_local! {
    static COUNT: Cell<Operations> = const { Cell::new(Operations::NONE) };
}

/// Kinds of operations.
#[derive(Clone, Copy)]
enum OperationKind {
    Sum,
    Product,
    Quotient,
    Root,
    Power,
    Comparison,
}

fn count(kind: OperationKind) {
    let mut operations = COUNT.get();
    let number = match kind {
        OperationKind::Sum => &mut operations.sums,
        OperationKind::Product => &mut operations.products,
        OperationKind::Quotient => &mut operations.quotients,
        OperationKind::Root => &mut operations.roots,
        OperationKind::Power => &mut operations.powers,
        OperationKind::Comparison => &mut operations.comparisons,
    };
    *number += 1;
    COUNT.set(operations);
}

/// Runs `task` and counts its operations on [`CountedNumber`].
pub fn count_operations<T>(task: impl FnOnce() -> T) -> (T, Operations) {
    COUNT.set(Operations::NONE);
    let result = task();
    (result, COUNT.get())
}

/// Arithmetic that the schemes need.
pub trait Number:
    Copy
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// A constant.
    fn of(value: f64) -> Self;
    /// Its value.
    fn value(self) -> f64;
    /// √x.
    fn sqrt(self) -> Self;
    /// x^p.
    fn powf(self, power: f64) -> Self;
    /// ln(1 + x).
    fn ln_1p(self) -> Self;
    /// e^x − 1.
    fn exp_m1(self) -> Self;
    /// |x|.
    fn abs(self) -> Self;
}

impl Number for f64 {
    fn of(value: f64) -> Self {
        value
    }
    fn value(self) -> f64 {
        self
    }
    fn sqrt(self) -> Self {
        self.sqrt()
    }
    fn powf(self, power: f64) -> Self {
        self.powf(power)
    }
    fn ln_1p(self) -> Self {
        self.ln_1p()
    }
    fn exp_m1(self) -> Self {
        self.exp_m1()
    }
    fn abs(self) -> Self {
        self.abs()
    }
}

/// A number whose operations are counted.
#[derive(Clone, Copy, Debug)]
pub struct CountedNumber(f64);

impl Add for CountedNumber {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        count(OperationKind::Sum);
        Self(self.0 + other.0)
    }
}

impl Sub for CountedNumber {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        count(OperationKind::Sum);
        Self(self.0 - other.0)
    }
}

impl Mul for CountedNumber {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        count(OperationKind::Product);
        Self(self.0 * other.0)
    }
}

impl Div for CountedNumber {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        count(OperationKind::Quotient);
        Self(self.0 / other.0)
    }
}

impl Neg for CountedNumber {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl PartialEq for CountedNumber {
    fn eq(&self, other: &Self) -> bool {
        count(OperationKind::Comparison);
        self.0 == other.0
    }
}

impl PartialOrd for CountedNumber {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        count(OperationKind::Comparison);
        self.0.partial_cmp(&other.0)
    }
}

impl Number for CountedNumber {
    fn of(value: f64) -> Self {
        Self(value)
    }
    fn value(self) -> f64 {
        self.0
    }
    fn sqrt(self) -> Self {
        count(OperationKind::Root);
        Self(self.0.sqrt())
    }
    fn powf(self, power: f64) -> Self {
        count(OperationKind::Power);
        Self(self.0.powf(power))
    }
    fn ln_1p(self) -> Self {
        count(OperationKind::Power);
        Self(self.0.ln_1p())
    }
    fn exp_m1(self) -> Self {
        count(OperationKind::Power);
        Self(self.0.exp_m1())
    }
    fn abs(self) -> Self {
        Self(self.0.abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_is_counted_once_with_the_correct_value() {
        let (value, operations) = count_operations(|| {
            let (a, b) = (CountedNumber::of(3.0), CountedNumber::of(4.0));
            let length = (a * a + b * b).sqrt();
            if length > b { (length - b).powf(2.0) / -length } else { a }
        });
        assert_eq!(value.value(), -0.2);
        let expected = Operations { sums: 2, products: 2, quotients: 1, roots: 1, powers: 1, comparisons: 1 };
        assert_eq!((operations, operations.total()), (expected, 8));
    }
}
