// A workflow that the project does not hold: with changes that are not saved it can still be saved, else it is missing.

import { useUnsavedFiles } from "../editing/use-unsaved-files.ts"
import { Missing } from "./missing.tsx"
import { WorkflowPage } from "./workflow-page.tsx"

export function GoneWorkflow({ name }: { readonly name: string }) {
  const isUnsaved = useUnsavedFiles().some((file) => file.kind === "workflow" && file.workflow === name)
  return isUnsaved ? <WorkflowPage workflow={{ name, apis: [] }} /> : <Missing what="workflow" name={name} />
}
