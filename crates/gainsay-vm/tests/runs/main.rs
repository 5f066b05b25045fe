//! Small core programs, built by hand, and what running them must give.

mod builder;
mod builtins;
mod claims;
mod contracts;
mod limits;
mod matches;
mod orders;
mod recursion;
mod shown;
mod speed;
mod tables;
mod words;
mod worlds;
