// The fields of a JSON body: those in the file, required ones, and those that the user adds.

import { parsePath, type JsonValue } from "@callsheet/format"
import type { BodyTypeView } from "@callsheet/server/calls"
import { bodyFields, requiredFields } from "../forms/body-fields.ts"
import { BodyRows } from "../forms/body-part.tsx"
import { useFieldProblems, useForm } from "../forms/form-context.tsx"
import { FieldProblems } from "../forms/form-field.tsx"
import { pointerTo, type BodyLeaf } from "./body-leaves.ts"

interface Props {
  readonly leaves: readonly BodyLeaf[]
  readonly documented: BodyTypeView | undefined
}

export function FieldRows({ leaves, documented }: Props) {
  const form = useForm()
  const problems = useFieldProblems(["body"])
  const fields = bodyFields(documented?.type)
  const set = new Map(leaves.map((leaf) => [leaf.path, leaf]))
  const required = requiredFields(fields, [...set.keys()]).map(({ path }) => path)
  const write = (path: string, value: JsonValue | undefined): void =>
    form.change((text) => {
      const parsed = parsePath(path)
      const body = text.read(["body"])
      const pointer = parsed.ok ? pointerTo(body, parsed.segments) : undefined
      if (pointer === undefined) return
      if (value === undefined) text.unset(["body", ...pointer])
      else text.set(["body", ...pointer], value)
    }, `field body ${path}`)
  return (
    <>
      <BodyRows
        fields={fields}
        paths={[...set.keys(), ...required]}
        required={required}
        valueAt={(path) => {
          const leaf = set.get(path)
          return { value: leaf?.value, pointer: ["body", ...(leaf?.pointer ?? [path])] }
        }}
        onWrite={write}
        findingFor={(path) => (parsePath(path).ok ? undefined : "This is not a valid path into the body.")}
      />
      <FieldProblems problems={problems} />
    </>
  )
}
