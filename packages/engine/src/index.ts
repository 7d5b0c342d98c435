// The front door of `engine`: bind, plan, run.

export * from "./ports.ts"
export * from "./session-options.ts"
export * from "./session.ts"
export type { RunPart } from "./part.ts"
export { sizeOfResults, type RunResults } from "./run-results.ts"
export { createNodePorts, type NodePortsOptions } from "./node/create-node-ports.ts"
export { createMasker, type Masker } from "./mask.ts"
export type { CompleteListener, Latest, LiveListener } from "./outlet.ts"
export { defaultConcurrency, defaultMaxResponseBytes } from "./settings.ts"
export type { InspectOptions } from "./node/script/inspector.ts"
export type { ScriptContents } from "./node/script/script-sources.ts"
export { createOutlineStore, type OutlineStoreOptions } from "./node/outline-store.ts"
export { createHttpPort, type HttpPortOptions } from "./node/http/create-http-port.ts"
export { createCookies, type Cookies } from "./node/http/cookies.ts"
export {
  createLazyScriptPort,
  withScripts,
  type LazyScriptPortOptions,
  type ScriptWorld,
} from "./node/lazy-script-port.ts"
