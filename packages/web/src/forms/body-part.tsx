// Overrides of a body: paths into it, each with a value.

import { isJsonObject, type JsonPointer, type JsonValue } from "@callsheet/format"
import type { BodyTypeView } from "@callsheet/server/calls"
import { bodyFields, requiredFields } from "./body-fields.ts"
import { BodyHead } from "./body-head.tsx"
import { BodyRows } from "./body-rows.tsx"
import { useFieldProblems, useForm } from "./form-context.tsx"
import { FieldProblems } from "./form-field.tsx"

interface Props {
  readonly pointer: JsonPointer
  readonly upTo: JsonPointer
  readonly value: JsonValue | undefined
  readonly documented: BodyTypeView | undefined
  /** False if the saved request has its own body. */
  readonly showsRequired: boolean
}

export function BodyPart({ pointer, upTo, value, documented, showsRequired }: Props) {
  const form = useForm()
  const problems = useFieldProblems(pointer)
  const fields = bodyFields(documented?.type)
  const set = isJsonObject(value) ? Object.keys(value) : []
  const required = showsRequired ? requiredFields(fields, set).map(({ path }) => path) : []
  const write = (path: string, next: JsonValue | undefined): void =>
    next === undefined ? form.unset([...pointer, path], upTo) : form.set([...pointer, path], next)
  return (
    <section className="form-part" aria-label="Body">
      <BodyHead documented={documented} />
      <BodyRows
        fields={fields}
        paths={[...required, ...set]}
        required={required}
        valueAt={(path) => ({
          value: isJsonObject(value) && Object.hasOwn(value, path) ? value[path] : undefined,
          pointer: [...pointer, path],
        })}
        onWrite={write}
      />
      <FieldProblems problems={problems} />
    </section>
  )
}
