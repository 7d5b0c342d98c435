// The open dialog about a workflow: a new one, its name, a copy, or its deletion.

import { create } from "zustand"

type WorkflowDialog =
  /** `from` is the JSON of the first block. */
  | { readonly kind: "new"; readonly from?: string }
  | { readonly kind: "rename" | "duplicate" | "delete"; readonly workflow: string }

export const useWorkflowDialog = create<{ readonly shown: WorkflowDialog | undefined }>(() => ({
  shown: undefined,
}))

export const showWorkflowDialog = (shown: WorkflowDialog | undefined): void =>
  useWorkflowDialog.setState({ shown })
