// The front door of `app`: the server of the companion application.

export type { AppEvent, CallName, Calls, Input, Output } from "./api.ts"
export type { AppEvents, Handlers } from "./server/handlers.ts"
export { askForLink } from "./server/ask-for-link.ts"
export { readPortFiles, writePortFile, type PortFile, type PortFilePlace } from "./server/port-files.ts"
export {
  createEnvironmentHandlers,
  type EnvironmentHandlers,
  type EnvironmentHandlersOptions,
} from "./server/environments/create-environment-handlers.ts"
export {
  createRunHandlers,
  type RunHandlers,
  type RunHandlersOptions,
} from "./server/runs/create-run-handlers.ts"
export {
  createFileHandlers,
  type FileHandlers,
  type FileHandlersOptions,
} from "./server/files/create-file-handlers.ts"
export { Plans, type PlansOptions } from "./server/plans/plans.ts"
export { joinEvents } from "./server/join-events.ts"
export { stateFolder } from "./server/state-folder.ts"
export { readAssets, type Asset, type Assets } from "./server/read-assets.ts"
export { startApp, type AppOptions, type RunningApp } from "./server/start-app.ts"
export {
  createProjectHandlers,
  type ProjectHandlers,
  type ProjectHandlersOptions,
} from "./server/project/create-project-handlers.ts"
