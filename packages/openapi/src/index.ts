// The front door of `openapi`.
