// Reads members of parsed JSON whose types are not known. A member of another type counts as missing.

import { member, type JsonValue } from "@callsheet/format"

export { listMember as list, member, objectMember as object } from "@callsheet/format"

export function text(value: JsonValue | undefined, key: string): string | undefined {
  const found = member(value, key)
  if (typeof found === "string") return found
  return typeof found === "number" || typeof found === "bigint" || typeof found === "boolean"
    ? String(found)
    : undefined
}

export const isTrue = (value: JsonValue | undefined, key: string): boolean => member(value, key) === true
