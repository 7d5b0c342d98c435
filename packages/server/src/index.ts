// The front door of `app`: the server of the companion application.

export type { AppEvent, CallName, Calls, Input, Output } from "./calls/index.ts"
export type { AppEvents, Handlers } from "./handlers.ts"
export { askForLink } from "./ask-for-link.ts"
export { readPortFiles, writePortFile, type PortFile, type PortFilePlace } from "./port-files.ts"
export {
  createEnvironmentHandlers,
  type EnvironmentHandlers,
  type EnvironmentHandlersOptions,
} from "./environments/create-environment-handlers.ts"
export { createRunHandlers, type RunHandlers, type RunHandlersOptions } from "./runs/create-run-handlers.ts"
export {
  createFileHandlers,
  type FileHandlers,
  type FileHandlersOptions,
} from "./files/create-file-handlers.ts"
export { Plans, type PlansOptions } from "./plans/plans.ts"
export { joinEvents } from "./join-events.ts"
export { stateFolder } from "./state-folder.ts"
export { readAssets, type Asset, type Assets } from "./read-assets.ts"
export { startApp, type AppOptions, type RunningApp } from "./start-app.ts"
export {
  createProjectHandlers,
  type ProjectHandlers,
  type ProjectHandlersOptions,
} from "./project/create-project-handlers.ts"
