// The public API of `interop`: reads collections of other tools and turns them into the files of a project. Imports no
// `node:*` modules, so that it loads in a browser.

export { messages as interopMessages, reasons as lossReasons } from "./messages.ts"
export { isPrivateContent, isPrivatePath } from "./private-file.ts"
export { describeSharedAuth, secretsByCause, type SecretsByCause } from "./describe-import.ts"
export { firstRunOf } from "./first-run.ts"
export { groupLosses, needAttention, type LossGroup, type ReportedLoss } from "./losses.ts"
export { makeImport, type GivenDocument, type ImportChangeSet, type ImportRequest } from "./make-import.ts"
export { makeSavedRequest, type SavedRequestChangeSet } from "./save-request.ts"
export { MAX_BLOCKS as MAX_WORKFLOW_BLOCKS } from "./carry/plan-workflows.ts"
export type { SourceBytes } from "./carry/read-names.ts"
export type { SourceDirectory } from "./read/bruno-directory.ts"
export { exportTargets, exportWorkflow, type ExportedWorkflow } from "./export/export-workflow.ts"
export { exportReasons } from "./export/messages.ts"
