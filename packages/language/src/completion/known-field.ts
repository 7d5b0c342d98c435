// A documented type as completion reads it: members on demand, because schemas may be recursive.

import { memberType, once, type ValueType } from "@callsheet/format"
import { typeWords } from "../types/type-words.ts"
import type { KnownField } from "./known-value.ts"

type NamedField = KnownField & { readonly name: string }

/** Describes a type. Its texts come from the document as they are. Keeps what it has read. */
export function knownField(type: ValueType): KnownField {
  const words = once(() => typeWords(type))
  const fields = once(() =>
    type.kinds?.has("object") === false ? undefined : type.names().flatMap((name) => namedMember(type, name)),
  )
  const items = once(() => {
    const item = type.kinds?.has("array") === true ? memberType(type, "0") : undefined
    return item && knownField(item)
  })
  return {
    get words() {
      return words()
    },
    get fields() {
      return fields()
    },
    get items() {
      return items()
    },
  }
}

/** Names a member without reading it. */
function namedMember(type: ValueType, name: string): readonly NamedField[] {
  const member = memberType(type, name)
  if (member === undefined) return []
  const field = knownField(member)
  return [
    {
      name,
      get words() {
        return field.words
      },
      get fields() {
        return field.fields
      },
      get items() {
        return field.items
      },
    },
  ]
}
