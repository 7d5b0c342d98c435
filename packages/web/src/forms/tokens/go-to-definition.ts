// Goes to the definition of a placeholder: a block or its output, an input, a loop, or a variable of an environment.

import { isJsonObject, parsePath, rawBlocks, type JsonPointer, type JsonValue } from "@callsheet/format"
import type { Definition } from "@callsheet/language"
import type { Reading } from "../completion/roots.ts"
import { showVariable } from "../../environments/environment-commands.ts"
import { goTo } from "../../routes/use-route.ts"
import { say } from "../../blocks/editor-state.ts"
import { showField } from "../../blocks/show-in-text.ts"
import { describeToken } from "./describe-token.ts"

export async function goToDefinition(path: string, reading: Reading): Promise<void> {
  const { definition } = await describeToken(path, reading)
  if (definition === undefined) return say(`Nothing defines ${path.slice(0, 100)} here.`)
  if (definition.is === "variable") {
    showVariable(definition.api, definition.name)
    return goTo({ kind: "environments", api: definition.api })
  }
  const { workflow } = reading
  if (workflow === undefined) return
  showField({ kind: "workflow", workflow: workflow.name }, pointerOf(definition, path, workflow.value))
}

function pointerOf(
  definition: Exclude<Definition, { readonly is: "variable" }>,
  path: string,
  workflow: JsonValue,
): JsonPointer {
  if (definition.is === "input") return ["inputs", definition.name]
  const defining = definition.is === "result" ? definition.block : definition.loop
  const found = [...rawBlocks(workflow)].find(({ block }) => block === defining)
  if (found === undefined) return []
  if (definition.is === "iterator") return [...found.pointer(), "iteratorVar"]
  const parsed = parsePath(path)
  const output = parsed.ok ? parsed.segments[1] : undefined
  const { transforms } = definition.block
  const isOutput = isJsonObject(transforms) && output !== undefined && Object.hasOwn(transforms, output)
  return [...found.pointer(), ...(isOutput ? ["transforms", output] : ["id"])]
}
