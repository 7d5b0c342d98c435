// The public API of the server of `callsheet app`.

export { messages as serverMessages } from "./messages.ts"
export type { AppEvent, CallName, Input, Output } from "./calls/index.ts"
export type { Handlers } from "./handlers.ts"
export { askForLink, readPortFiles, writePortFile } from "./state/port-files.ts"
export {
  createEnvironmentHandlers,
  type EnvironmentHandlersOptions,
} from "./environments/create-environment-handlers.ts"
export { createRunHandlers, type RunHandlersOptions } from "./runs/runs.ts"
export { createFileHandlers } from "./files/create-file-handlers.ts"
export type { FileHandlersOptions } from "./files/file-context.ts"
export { Plans, type PlansOptions } from "./plans/plans.ts"
export { joinEvents } from "./events.ts"
export { stateFolder, type ProjectState } from "./state/private-folder.ts"
export { readAssets, type Asset, type Assets } from "./door/read-assets.ts"
export { startApp, type AppOptions, type RunningApp } from "./door/start-app.ts"
export {
  createProjectHandlers,
  type ProjectHandlers,
  type ProjectHandlersOptions,
} from "./project/create-project-handlers.ts"
