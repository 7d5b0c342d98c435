// Describes an item for the people who read its block or its file.

import type { Item } from "../model.ts"
import { plainText, type Text } from "../text.ts"

/** Returns the full name of an item, unless `id` is the name, and its description. Undefined if it has neither. */
export function describeItem(item: Item, id: string): Text | undefined {
  const { name, description } = item
  // The name that callsheet makes of a method and a path tells nothing more than these.
  const isTold = name === id || (item.kind !== "folder" && name.startsWith(`${item.method} /`))
  const parts = [isTold ? "" : plainText(name).trim(), description?.trim() ?? ""].filter(
    (part) => part !== "",
  )
  const [first, second] = parts
  return first === second ? first : parts.length === 0 ? undefined : parts.join("\n\n")
}
