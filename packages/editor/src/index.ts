// The public API of `editor`: answers an editor's questions about projects with unsaved texts. Imports only types of the
// protocol.

export { createEditorService } from "./service.ts"
export { messages as renameMessages } from "./navigation/rename/messages.ts"
export type { RunEnd, RunOrder, Runs, SendOrder } from "./commands/runs.ts"
