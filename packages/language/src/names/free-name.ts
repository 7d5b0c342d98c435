// Names that nothing in a workflow has.

import { isJsonObject, rawBlocks, type JsonValue } from "@callsheet/format"

/** Returns the names of blocks, inputs and iterators, valid or not. */
export function takenNames(workflow: JsonValue): Set<string> {
  const names = new Set<string>()
  const inputs = isJsonObject(workflow) ? workflow["inputs"] : undefined
  if (isJsonObject(inputs)) for (const name of Object.keys(inputs)) names.add(name)
  for (const { block } of rawBlocks(workflow))
    for (const name of [block["id"], block["iteratorVar"]]) if (typeof name === "string") names.add(name)
  return names
}

/** Returns `login`, or `login-2` if that is taken. After `login-2`, the next is `login-3`. */
export function freeName(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted
  const [, stem = wanted, number = "1"] = /^(.+?)-([1-9][0-9]{0,5})$/u.exec(wanted) ?? []
  let next = Number(number) + 1
  while (taken.has(`${stem}-${next}`)) next++
  return `${stem}-${next}`
}
