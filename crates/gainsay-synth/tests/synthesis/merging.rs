//! Searching a goal that is the intersection of patterns, against all short traces.
