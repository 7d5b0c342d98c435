// Which dialog about workflows is open.

import { create } from "zustand"

export type WorkflowDialog =
  | { readonly kind: "new"; readonly from?: NewFrom }
  | { readonly kind: "rename" | "duplicate" | "delete"; readonly workflow: string }

/** The request that a new workflow begins with. */
export type NewFrom =
  | { readonly api: string; readonly operation: string; readonly resource?: string }
  | { readonly api: string; readonly instance: string; readonly resource: string }

export const useWorkflowDialog = create<{ readonly shown: WorkflowDialog | undefined }>(() => ({
  shown: undefined,
}))

export const showWorkflowDialog = (shown: WorkflowDialog | undefined): void =>
  useWorkflowDialog.setState({ shown })
