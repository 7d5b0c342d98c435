// `callsheet generate`: writes workflows and a suite from the OpenAPI documents of a project.

import { CallsheetError } from "@callsheet/format"
import { readAllEnvironments, readProject } from "@callsheet/project"
import { planGeneration, writeGeneration, type GenerationResult } from "@callsheet/server"
import type { Command } from "../args/command.ts"
import { printGenerated } from "../generate/print-generated.ts"
import { maskOf } from "../mask-files.ts"
import { messages } from "../messages.ts"
import { openRoot } from "../open-root.ts"
import { jsonDocument } from "../text/json-document.ts"

/** Returns 0, even if operations were skipped. Throws if a document can't be read. */
export const generate: Command = async (call) => {
  const { options, screen, environment } = call
  const operations = options.values("operation")
  const [api, tag] = [options.value("api"), options.value("tag")]
  if (tag !== undefined && operations.length > 0)
    throw new CallsheetError(messages.usage.contradiction("--tag", "--operation"))
  const root = await openRoot(call)
  const planned = await planGeneration({
    root,
    choice: { api, tag, operations: operations.length === 0 ? undefined : operations },
    processEnvironment: environment,
  })
  const isDryRun = options.has("dry-run")
  if (!isDryRun) await writeGeneration(root, planned)
  const environments = readAllEnvironments(
    readProject(root, { workflows: [], apis: "all", documents: "named" }),
  )
  const result = masked(planned.result, await maskOf(environments, environment))
  if (options.has("json")) screen.out.write(jsonDocument(result), "exact")
  else printGenerated(result, isDryRun, screen.out)
  return 0
}

/** Masks what a document says: the names of its operations, and the reasons that name its parts. */
function masked(result: GenerationResult, mask: (text: string) => string): GenerationResult {
  const { kept, skipped, added, removed } = result
  return {
    ...result,
    kept: kept.map((each) => ({ ...each, reason: mask(each.reason) })),
    skipped: skipped.map((each) => ({ ...each, operation: mask(each.operation), reason: mask(each.reason) })),
    added: added.map(mask),
    removed: removed.map(mask),
  }
}
