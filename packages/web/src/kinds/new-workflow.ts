// Writes the file of a new workflow.

import { stringifyJson, type JsonValue } from "@callsheet/format"
import { call } from "../connection/call.ts"
import { throwNameTaken } from "../connection/fault-of.ts"
import { queryClient } from "../connection/query-client.ts"

/** Rejects if the file exists or can't be written. */
export async function createWorkflow(workflow: string, blocks: readonly JsonValue[]): Promise<void> {
  const text = `${stringifyJson({ version: 1, validateContracts: true, blocks }, { indent: 2 })}\n`
  await call("files.save", { file: { kind: "workflow", workflow }, etag: null, text }).catch(throwNameTaken)
  await queryClient.invalidateQueries({ queryKey: ["project"] })
}
