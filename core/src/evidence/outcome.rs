//! What a test or build run says of itself.
