// Returns the APIs of a workflow file: those of its requests, and the inbox if the file reads its address.

import { INBOX, readsInbox } from "../environment/shapes.ts"
import type { Api, WorkflowFile } from "../project.ts"
import type { Blocks } from "./types.ts"
import { touchedApis } from "./walk.ts"

export const apisOfFile = ({ readable, text }: Pick<WorkflowFile, "readable" | "text">): readonly string[] =>
  withInbox(touchedApis(readable?.workflow.blocks ?? []), readsInbox(text))

/** Returns the APIs whose variables the workflow can read. A run starts the project's inbox for any that reads it. */
export const readableApis = (
  blocks: Blocks,
  inbox: Pick<Api, "environments"> | undefined,
): readonly string[] => withInbox(touchedApis(blocks), inbox?.environments.service === INBOX)

const withInbox = (touched: readonly string[], isInboxIn: boolean): readonly string[] =>
  isInboxIn && !touched.includes(INBOX) ? [...touched, INBOX] : touched
