// The public API of `interop`: reads collections of other tools and turns them into the files of a project. Imports no
// `node:*` modules, so that it loads in a browser.

export { messages as interopMessages, reasons as lossReasons } from "./messages.ts"
export { readSources } from "./read/read-sources.ts"
export {
  apiNameFor,
  carryOver,
  type CarriedOver,
  type PlannedFile,
  type SourceBytes,
} from "./carry/carry-over.ts"
