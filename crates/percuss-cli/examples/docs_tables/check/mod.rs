//! Generated blocks of documents, and their comparison with the output of commands. Does no I/O.

pub mod compare;
pub mod document;
pub mod output;
