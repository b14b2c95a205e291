//! Model providers behind one trait.
