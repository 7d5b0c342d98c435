// The front door of `app`: the server of the companion application.

export type { AppEvent, CallName, Calls, Input, Output } from "./api.ts"
export type { AppEvents, Handlers } from "./server/handlers.ts"
export { readAssets, type Asset, type Assets } from "./server/read-assets.ts"
export { startApp, type AppOptions, type RunningApp } from "./server/start-app.ts"
