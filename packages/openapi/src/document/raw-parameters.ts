// Swagger 2.0: the parameters of an operation as written, among which stand its body and the fields of its form.

import { dereference, listMember, type Located, type OpenApiDocument, textMember } from "./document.ts"
import type { Operation } from "./operations.ts"

export interface RawParameters {
  /** The path's and the operation's; the operation's replace those of the same name and place. */
  readonly parameters: readonly Located[]
  /** Whether some reference leads nowhere: what is behind it may be a body. */
  readonly hasUnknown: boolean
}

export function rawParametersOf(document: OpenApiDocument, operation: Operation): RawParameters {
  const merged = new Map<string, Located>()
  let hasUnknown = false
  for (const [holder, pointer] of [
    [operation.pathItem, operation.pathPointer],
    [operation.value, operation.pointer],
  ] as const) {
    for (const [index, value] of listMember(holder, "parameters").entries()) {
      const found = dereference(document, { value, pointer: `${pointer}/parameters/${index}` })
      const place = textMember(found?.value, "in")
      // There is one body, whatever its name.
      const name = place === "body" ? "" : textMember(found?.value, "name")
      if (found === undefined) hasUnknown = true
      else if (name !== undefined) merged.set(`${place} ${name}`, found)
    }
  }
  return { parameters: [...merged.values()], hasUnknown }
}
