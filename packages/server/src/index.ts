// The public API of the server of `callsheet app`.

export { messages as serverMessages } from "./messages.ts"
export type { AppEvent, CallName, FieldView, FileName, Input, Output } from "./calls/index.ts"
export { CallRefused, type Handlers } from "./handlers.ts"
export { maskJsonText } from "./secrets/mask-json-text.ts"
export { noSecrets, type Masker } from "./secrets/secrets-masker.ts"
export {
  blobHash,
  committedFiles,
  isBlob,
  isInRepository,
  readCommitted,
  type CommittedFiles,
} from "./git/committed-files.ts"
export { askForLink, readPortFiles, writePortFile } from "./state/port-files.ts"
export * from "./environments/create-environment-handlers.ts"
export { createLoginHandlers } from "./logins/create-login-handlers.ts"
export { createRunHandlers, type RunHandlersOptions } from "./runs/runs.ts"
export { findScriptFiles } from "./runs/script-files.ts"
export { createImportHandlers } from "./imports/create-import-handlers.ts"
export { previewingInThread } from "./imports/preview-in-thread.ts"
export { createFileHandlers } from "./files/create-file-handlers.ts"
export { fileAt } from "./calls/index.ts"
export { placeOf, type FileHandlersOptions } from "./files/file-context.ts"
export { ChangeSets, type ChangeSetsOptions } from "./change-sets/change-sets.ts"
export { joinEvents } from "./events.ts"
export { readAssets, type Asset, type Assets } from "./door/read-assets.ts"
export { startApp, type AppOptions, type RunningApp } from "./door/start-app.ts"
export * from "./project/create-project-handlers.ts"
