// The front door of `cli`.
