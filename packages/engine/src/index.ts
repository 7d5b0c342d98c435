// The front door of `engine`: bind, plan, run.

export * from "./ports.ts"
export * from "./session.ts"
