// Returns the APIs of a workflow file: those of its requests, and the inbox if the file reads its address.

import { INBOX, readsInbox } from "../environment/shapes.ts"
import type { WorkflowFile } from "../project.ts"
import { touchedApis } from "./walk.ts"

export function apisOfFile({ readable, text }: Pick<WorkflowFile, "readable" | "text">): readonly string[] {
  const touched = touchedApis(readable?.workflow.blocks ?? [])
  return readsInbox(text) && !touched.includes(INBOX) ? [...touched, INBOX] : touched
}
