// The front door of `sdk`.
