//! What a parameter is drawn from.

use crate::philox::uniform_pair;
use std::f64::consts::TAU;

/// A value of a scene.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number.
    Number(f64),
    /// A whole number.
    Integer(i64),
    /// A text, such as the name of a material.
    Text(String),
}

impl Value {
    /// As it is written in TOML. Numbers have as many digits as it takes to read them back to the last bit.
    #[must_use]
    pub fn to_toml(&self) -> String {
        match self {
            Self::Number(number) => format!("{number:?}"),
            Self::Integer(number) => number.to_string(),
            Self::Text(text) => format!("\"{text}\""),
        }
    }
}

/// A distribution.
#[derive(Clone, Debug, PartialEq)]
pub enum Distribution {
    /// Every number between two equally often.
    Uniform([f64; 2]),
    /// Every ratio equally often, between two positive numbers.
    LogUniform([f64; 2]),
    /// The normal distribution, by its mean and standard deviation.
    Normal {
        /// Mean.
        mean: f64,
        /// Standard deviation, above 0.
        deviation: f64,
    },
    /// Every whole number from one to another, both included, equally often.
    Integer([i64; 2]),
    /// Every value of a list equally often.
    Choice(Vec<Value>),
}

impl Distribution {
    /// The value at a counter. It depends on nothing else.
    #[must_use]
    pub fn draw(&self, counter: [u32; 4], seed: u64) -> Value {
        let [first, second] = uniform_pair(counter, seed);
        match self {
            Self::Uniform([least, most]) => Value::Number(least + (most - least) * first),
            Self::LogUniform([least, most]) => Value::Number((least * ((most / least).ln() * first).exp()).min(*most)),
            // Box and Muller; 1 − u is above 0.
            Self::Normal { mean, deviation } => {
                Value::Number(mean + deviation * (-2.0 * (1.0 - first).ln()).sqrt() * (TAU * second).cos())
            }
            Self::Integer([least, most]) => {
                let count = most.abs_diff(*least) as f64 + 1.0;
                Value::Integer(least.saturating_add_unsigned((first * count) as u64).min(*most))
            }
            Self::Choice(values) => values[((first * values.len() as f64) as usize).min(values.len() - 1)].clone(),
        }
    }

    /// What is wrong with it.
    #[must_use]
    pub fn fault(&self) -> Option<String> {
        let range = |least: f64, most: f64| {
            let is_range = least.is_finite() && most.is_finite() && least < most;
            (!is_range).then(|| format!("is from {least} to {most}, must be two finite numbers, the smaller one first"))
        };
        match self {
            Self::Uniform([least, most]) => range(*least, *most),
            Self::LogUniform([least, most]) => range(*least, *most)
                .or_else(|| (*least <= 0.0).then(|| format!("starts at {least}, must be above 0: ratios are drawn"))),
            Self::Normal { mean, deviation } => {
                let holds = mean.is_finite() && deviation.is_finite() && *deviation > 0.0;
                (!holds).then(|| {
                    format!("has mean {mean} and deviation {deviation}, must be finite, the deviation above 0")
                })
            }
            Self::Integer([least, most]) => {
                (least >= most).then(|| format!("is from {least} to {most}, must have the smaller one first"))
            }
            Self::Choice(values) => values.is_empty().then(|| "is an empty list".to_owned()).or_else(|| {
                let is_plain = |value: &Value| match value {
                    Value::Text(text) => !text.chars().any(|c| c == '"' || c == '\\' || c.is_control()),
                    Value::Number(number) => number.is_finite(),
                    Value::Integer(_) => true,
                };
                let bad = values.iter().find(|value| !is_plain(value))?;
                Some(format!("has {bad:?}, must be finite numbers, or text without quotes and backslashes"))
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn number(distribution: &Distribution, clip: u32) -> f64 {
        match distribution.draw([clip, 0, 0, 0], 3) {
            Value::Number(number) => number,
            Value::Integer(number) => number as f64,
            Value::Text(text) => panic!("{text}"),
        }
    }

    #[test]
    fn means_are_those_of_the_distributions() {
        const COUNT: u32 = 40_000;
        let mean = |distribution: &Distribution| {
            (0..COUNT).map(|clip| number(distribution, clip)).sum::<f64>() / f64::from(COUNT)
        };
        // Four standard errors: 4·σ/200.
        for (distribution, expected, sigma) in [
            (Distribution::Uniform([2.0, 4.0]), 3.0, 0.578),
            (Distribution::LogUniform([1.0, std::f64::consts::E]), std::f64::consts::E - 1.0, 0.492),
            (Distribution::Normal { mean: -1.0, deviation: 0.5 }, -1.0, 0.5),
            (Distribution::Integer([-2, 3]), 0.5, 1.71),
            (Distribution::Choice(vec![Value::Number(1.0), Value::Integer(5)]), 3.0, 2.0),
        ] {
            let found = mean(&distribution);
            assert!((found - expected).abs() < 4.0 * sigma / 200.0, "{distribution:?}: {found}");
        }
    }

    proptest! {
        #[test]
        fn draws_lie_in_their_range_and_are_read_back_to_the_last_bit(
            least in -1e12..1e12_f64, width in 1e-6..1e12_f64, clip: u32, attempt: u32, seed: u64,
        ) {
            let most = least + width;
            prop_assume!(most > least);
            let counter = [clip, 0, attempt, 0];
            let Value::Number(drawn) = Distribution::Uniform([least, most]).draw(counter, seed) else { unreachable!() };
            prop_assert!((least..=most).contains(&drawn));
            let read: f64 = Value::Number(drawn).to_toml().parse().unwrap();
            prop_assert_eq!(read.to_bits(), drawn.to_bits());
            let [least, most] = [width, width * 1e3];
            let Value::Number(ratio) = Distribution::LogUniform([least, most]).draw(counter, seed) else { unreachable!() };
            prop_assert!((least..=most).contains(&ratio));
            let [least, most] = [least as i64, least as i64 + 1 + (width % 7.0) as i64];
            let Value::Integer(whole) = Distribution::Integer([least, most]).draw(counter, seed) else { unreachable!() };
            prop_assert!((least..=most).contains(&whole));
        }
    }
}
