// Finds passwords that a request contains as plain text: values whose format in the document is `password`. Pure.

import {
  isJsonArray,
  isJsonObject,
  isSameParameter,
  ownOf,
  type JsonObject,
  type JsonPointer,
  type JsonValue,
} from "@callsheet/format"
import { objectIn } from "../../files/text/object-in.ts"
import type { FieldView, OperationDetail } from "@callsheet/server/calls"

export interface PlainPassword {
  readonly pointer: JsonPointer
  /** Such as `body account.password`. */
  readonly label: string
  readonly value: string
}

/** A value with a placeholder comes from elsewhere. */
export const isPlain = (value: JsonValue | undefined): value is string =>
  typeof value === "string" && value !== "" && !value.includes("{{")

export function plainPasswords(
  request: JsonObject,
  detail: Pick<OperationDetail, "parameters" | "body">,
): readonly PlainPassword[] {
  const params = detail.parameters
    .filter(({ isPassword }) => isPassword === true)
    .flatMap(({ in: place, name }) =>
      entriesOf(objectIn(objectIn(request, "params"), place))
        .filter(([own]) => isSameParameter(place, own, name))
        .flatMap(([own, value]) =>
          isPlain(value) ? [{ pointer: ["params", place, own], label: `${place} ${own}`, value }] : [],
        ),
    )
  return [...params, ...passwordsIn(request["body"], detail.body?.type)]
}

interface Work {
  readonly value: JsonValue
  readonly view: FieldView
  readonly pointer: JsonPointer
}

/** The tree of views has a limited depth, so this ends even for a recursive schema. */
function passwordsIn(body: JsonValue | undefined, view: FieldView | undefined): readonly PlainPassword[] {
  if (body === undefined || view === undefined) return []
  const found: PlainPassword[] = []
  const work: Work[] = [{ value: body, view, pointer: ["body"] }]
  for (const one of work) {
    if (one.view.isPassword === true && isPlain(one.value))
      found.push({ pointer: one.pointer, label: one.pointer.join(" "), value: one.value })
    work.push(...innerOf(one))
  }
  return found
}

function innerOf({ value, view, pointer }: Work): readonly Work[] {
  if (isJsonArray(value)) {
    const { items } = view
    return items === undefined
      ? []
      : value.map((item, at) => ({ value: item, view: items, pointer: [...pointer, at] }))
  }
  if (!isJsonObject(value)) return []
  return (view.fields ?? []).flatMap((field) => {
    const inner = ownOf(value, field.name)
    return inner === undefined ? [] : [{ value: inner, view: field, pointer: [...pointer, field.name] }]
  })
}

const entriesOf = (value: JsonObject): readonly (readonly [string, JsonValue])[] => Object.entries(value)

/** Returns those that the file on disk doesn't contain in this place. */
export const newPasswords = (
  now: readonly PlainPassword[],
  onDisk: readonly PlainPassword[],
): readonly PlainPassword[] =>
  now.filter(({ label, value }) => !onDisk.some((known) => known.label === label && known.value === value))
