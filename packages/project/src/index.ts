// The front door of `project`.
