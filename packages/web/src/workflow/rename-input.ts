// Renames an input where it is, and updates all references. Pure.

import { renameJsonKey, replaceJsonValues } from "@callsheet/format"
import { renamedReferences } from "@callsheet/language"
import type { Document } from "./block-edits.ts"
import { takenNames } from "./block-ids.ts"

/** Returns undefined if the name is taken. */
export function renameInput(
  { text, value }: Document,
  name: string,
  to: string,
): { readonly text: string; readonly reading: number } | undefined {
  if (takenNames(value).has(to)) return undefined
  const changes = renamedReferences(value, new Map([[name, to]]))
  const fixed = replaceJsonValues(text, changes)
  const renamed = fixed.ok ? renameJsonKey(fixed.text, ["inputs", name], to) : fixed
  return renamed.ok ? { text: renamed.text, reading: changes.length } : undefined
}
