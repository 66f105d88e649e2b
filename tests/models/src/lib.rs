//! The models are in `tests`.
