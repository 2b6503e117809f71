//! Laws beyond the built-in ones, each a [`CustomLaw`](crate::CustomLaw) in a file of its own: for
//! [`Model::interact`](crate::Model::interact).

mod felt;

pub use felt::Felt;
