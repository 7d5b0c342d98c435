// The control group: paths with one misspelled step. A check that reports nothing would pass the rest, too.

import type { Chance } from "./chance.ts"
import { formatSteps, pickPath, type DocumentedPath } from "./documented-paths.ts"
import { successOf, type RawOperation } from "./list-operations.ts"
import { makeRequest } from "./make-request.ts"
import type { MadeWorkflow } from "./make-workflows.ts"
import type { Raw } from "./raw-document.ts"

interface Misspelling {
  readonly id: string
  readonly source: string
  /** `closed`: the schema has no other properties. `listed`: it lists some and doesn't say whether there are others. */
  readonly last: "closed" | "listed"
}

export interface MisspelledWorkflow extends MadeWorkflow {
  readonly misspellings: readonly Misspelling[]
}

export function misspell(
  { root, chance }: { readonly root: Raw; readonly chance: Chance },
  operations: readonly RawOperation[],
  wanted: number,
): MisspelledWorkflow {
  const misspellings: Misspelling[] = []
  const blocks: Raw[] = []
  const instances: MadeWorkflow["instances"][number][] = []
  const count = { closed: 0, listed: 0 }
  for (let attempt = 0; attempt < 40 * wanted; attempt++) {
    const operation = chance.pick(operations)
    const schema = operation === undefined ? undefined : successOf(operation)?.json?.schema
    const path = schema === undefined ? undefined : pickPath(root, schema, chance)
    if (operation === undefined || path === undefined || path.last === "open" || count[path.last] >= wanted)
      continue
    const wrong = misspelled(path, chance)
    if (wrong === undefined) continue
    count[path.last]++
    const id = `wrong${misspellings.length}`
    const source = `${id}.response.body${wrong}`
    const request = makeRequest({ root, operation, id, byPath: true, withTag: false, saved: false })
    if (request.instance !== undefined) instances.push(request.instance)
    blocks.push(request.block, {
      id: `${id}-seen`,
      type: "assert",
      assertions: [{ source, operator: "exists" }],
    })
    misspellings.push({ id, source, last: path.last })
  }
  return { name: "misspelled", content: { version: 1, blocks }, instances, misspellings }
}

/** The path with its last name misspelled, different from its siblings. */
function misspelled({ steps, siblings }: DocumentedPath, chance: Chance): string | undefined {
  const name = steps.at(-1)
  if (typeof name !== "string" || name.length < 3 || /[{}]/.test(formatSteps(steps))) return undefined
  const at = 1 + chance.upTo(name.length - 2)
  const wrong = name.slice(0, at) + name[at + 1] + name[at] + name.slice(at + 2)
  const last = wrong === name ? `${name}x` : wrong
  return siblings.includes(last) ? undefined : formatSteps([...steps.slice(0, -1), last])
}
