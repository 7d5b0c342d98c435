// The public API of the server of `callsheet app`.

export { messages as serverMessages } from "./messages.ts"
export type { AppEvent, CallName, FieldView, FileName, Input, Output } from "./calls/index.ts"
export { CallRefused, type Handlers } from "./handlers.ts"
export { maskJsonText } from "./secrets/mask-json-text.ts"
export { createSecretsMasker, noSecrets, type Masker } from "./secrets/secrets-masker.ts"
export { createScriptParser } from "./files/script-parser.ts"
export { blobHash, committedFiles, isBlob, isInRepository, readCommitted } from "./git/committed-files.ts"
export { differences } from "./git/changed-files.ts"
export { OldFiles } from "./git/old-files.ts"
export * from "./git/revision.ts"
export { assessVersions, compareVersion, type ApiChange } from "./impact/assess-versions.ts"
export { compareWithCommit, compareWithSource, type Version } from "./impact/read-versions.ts"
export { createRepairHandlers } from "./impact/plan-repairs.ts"
export { createContractFinder, type FindContract } from "./snapshots/find-contracts.ts"
export { ReceivedResponses, type KeptResponse } from "./snapshots/received-responses.ts"
export { compareWithSnapshots, readSessionSnapshots } from "./snapshots/session-snapshots.ts"
export { createSnapshotHandlers } from "./snapshots/create-snapshot-handlers.ts"
export {
  planGeneration,
  readGeneratingApis,
  requireChosen,
  writeGeneration,
  type Generation,
  type GenerationResult,
} from "./generate/plan-generation.ts"
export { planningInThread } from "./generate/plan-in-thread.ts"
export { createTestHandlers } from "./generate/preview-tests.ts"
export { repairFiles, repairsOfVersion } from "./impact/find-repairs.ts"
export { askForLink, readPortFiles, writePortFile } from "./state/port-files.ts"
export * from "./environments/create-environment-handlers.ts"
export { createLoginHandlers } from "./logins/create-login-handlers.ts"
export { createMockHandlers } from "./mocks/create-mock-handlers.ts"
export { createRunHandlers, type RunHandlersOptions } from "./runs/runs.ts"
export { createRunHistory, type RunHistory } from "./runs/run-history.ts"
export { projectToSend } from "./runs/send-request.ts"
export { findScriptFiles } from "./runs/script-files.ts"
export { createImportHandlers } from "./imports/create-import-handlers.ts"
export { previewingInThread } from "./imports/preview-in-thread.ts"
export { problemsInFile, withFileText } from "./files/file-in-project.ts"
export { createFileHandlers } from "./files/create-file-handlers.ts"
export { fileAt } from "./calls/index.ts"
export { placeOf, type FileHandlersOptions } from "./files/file-context.ts"
export { ChangeSets, type ChangeSetsOptions } from "./change-sets/change-sets.ts"
export { joinEvents } from "./events.ts"
export { readAssets, type Asset, type Assets } from "./door/read-assets.ts"
export { startApp, type AppOptions, type RunningApp } from "./door/start-app.ts"
export * from "./project/create-project-handlers.ts"
