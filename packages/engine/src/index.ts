// The public API of `engine`: bind, plan, run.

export * from "./ports.ts"
export * from "./session/session-options.ts"
export * from "./session/session.ts"
export { scheduleOf, type Entry, type Schedule } from "./plan/schedule.ts"
export { withContracts, withDefaults } from "./plan/settings.ts"
export type { RunPart } from "./plan/part.ts"
export { sizeOfResults, type RunResults } from "./run/run-results.ts"
export { resolveSecrets } from "./node/user/user-port.ts"
export { describeAuth } from "./auth/describe-auth.ts"
export { logInTo } from "./auth/log-in-to.ts"
export { loginState, type Logins } from "./node/auth/token-store.ts"
export { createNodePorts } from "./node/create-node-ports.ts"
export { ANYWHERE_FROM, createMasker, MASK, type Masker } from "./outlet/mask.ts"
export { createSecretSearch } from "./outlet/secret-search.ts"
export { SessionLog, type EventStore, type LiveListener, type MaskAgain } from "./outlet/session-log.ts"
export type { InspectOptions } from "./node/script/inspector.ts"
export type { ResolveImport } from "./node/script/import-resolver.ts"
export type { ScriptContents } from "./node/script/script-sources.ts"
export {
  cacheFolder,
  isPrivateFolder,
  makeFolder,
  setMode,
  readOwnEntry,
  removeOldest,
  shortKey,
  writeCacheEntry,
} from "./node/cache-folder.ts"
export { homeFolder } from "./node/home-folder.ts"
export * from "./node/private-folder.ts"
export {
  findProgram,
  thisNode,
  type FoundProgram,
  type ProgramPlace,
  type RefusedProgram,
} from "./node/programs/find-program.ts"
export { executableFiles, RUN_FILE, START } from "./node/own-files/executable-files.ts"
export { ownFiles } from "./node/own-files/own-files.ts"
export { readSdkDeclarations } from "./node/own-files/sdk-declarations.ts"
export { readProgram, startProgram } from "./node/programs/start-program.ts"
export { askGit, readGit, type GitPlace } from "./node/programs/ask-git.ts"
export { findExposedSecrets } from "./node/programs/find-exposed-secrets.ts"
export { createOutlineStore } from "./node/outline-store.ts"
export { readRequest, readRequestBody, type ReadRequest } from "./node/listener/read-request.ts"
export { createListener, type Answering } from "./node/listener/create-listener.ts"
export type { Connections } from "./node/listener/limit-connections.ts"
export { readTarget, type RequestTarget } from "./node/listener/read-target.ts"
export { closeServer, listen, LOOPBACK } from "./node/listener/listen.ts"
export { endWithoutBody } from "./node/listener/end-without-body.ts"
export { monotonicMs } from "./node/monotonic.ts"
export { createHttpPort } from "./node/http/create-http-port.ts"
export { createOfflineHttpPort } from "./node/http/create-offline-http-port.ts"
export { forEachRun } from "./run/for-each-run.ts"
export { recordGenerated } from "./run/generated.ts"
export { createCookies, type Cookies } from "./node/http/cookies.ts"
export { createImportResolver, createLazyScriptPort, withScripts } from "./node/lazy-script-port.ts"
export { moveFile } from "./node/move-file.ts"
