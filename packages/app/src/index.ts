// The front door of `app`: the server of the companion application.

export type { Calls } from "./api.ts"
