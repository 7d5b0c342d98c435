// The results of every tool of `callsheet mcp`, with the canaries as values of variables and in what an agent sends.

import type { Files } from "../harness/callsheet.ts"
import { serve } from "../mcp/serve.ts"
import type { Canary } from "./canaries.ts"

/** Calls the tools with canaries in all arguments. Returns the results by the number and name of the call. */
export async function askAsAgent(
  files: Files,
  env: Readonly<Record<string, string>>,
  canaries: readonly Canary[],
): Promise<ReadonlyMap<string, string>> {
  const { client, close } = await serve(files, env)
  const texts = new Map<string, string>()
  const call = async (name: string, args: object = {}) => {
    const result = await client.callTool({ name, arguments: { ...args } }, { timeout: 120_000 })
    texts.set(`${texts.size} ${name}`, JSON.stringify(result))
    return result
  }
  const path = "apis/workflow/canaries.json"
  const literal = canaries.filter((canary) => typeof canary === "string" && canary.length >= 4)
  const blocks = literal.map((canary, index) => ({
    id: `b${index}`,
    type: "assert",
    description: `has ${canary}`,
    assertions: [
      { source: `nothing.${canary}`, operator: "equals", value: [canary, { [String(canary)]: 1 }] },
    ],
  }))
  try {
    for (const name of ["list_project", "find_operations", "validate"]) await call(name)
    for (const one of Object.keys(files)) await call("read_file", { path: one })
    const workflow = { version: 1, blocks, [String(literal[0])]: 1 }
    await call("validate", { path, text: JSON.stringify(workflow) })
    await call("run", { workflow: "canaries", environment: "blue" })
    for (let failure = 1; failure <= 100; failure += 3) await call("explain_failure", { failure })
    for (const canary of literal) {
      await call("read_file", { path: canary })
      await call("run", { workflow: canary })
      await call("run", { workflow: "canaries", environment: canary })
      await call("run", { workflow: "canaries", environment: "blue", inputs: { [String(canary)]: 1 } })
    }
    const edits = [{ op: "replace", path: "/blocks", value: blocks }]
    const { structuredContent } = await call("propose_change", { path, edits })
    const { proposal } = structuredContent as { readonly proposal: string }
    await call("apply_proposal", { proposal, acknowledgeWeakening: true })
    await call("read_file", { path })
    await call("propose_tests")
    for (const canary of literal) await call("propose_tests", { tag: canary })
    await call("run", { workflow: "canaries", environment: "blue" })
    await call("explain_failure")
  } finally {
    await close()
  }
  return texts
}
