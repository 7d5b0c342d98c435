// The fields of a form, or the parts of a multipart body. Each has a name, and a value or a file of the project.

import { isJsonObject, type JsonObject, type JsonPointer, type JsonValue, ownOf } from "@callsheet/format"
import type { BodyTypeView } from "@callsheet/server/calls"
import { bodyFields, findFields } from "../forms/body-fields.ts"
import { useFieldProblems, useForm } from "../forms/context/form-context.tsx"
import { FieldProblems } from "../forms/form-field.tsx"
import { LiveInput } from "../forms/live-input.tsx"
import { Picker } from "../forms/picker.tsx"
import { ValueInput } from "../forms/value-input.tsx"
import { useRowFocus, ValueRow } from "../forms/value-row.tsx"
import { formatValue } from "../forms/value-text.ts"
import { visibleText } from "../ui/visible-text.ts"

interface Props {
  readonly body: JsonObject
  readonly takesFiles: boolean
  readonly documented: BodyTypeView | undefined
}

export function PartRows({ body, takesFiles, documented }: Props) {
  const form = useForm()
  const problems = useFieldProblems(["body"])
  const fields = bodyFields(documented?.type)
  const names = Object.keys(body)
  const { list, focusRow } = useRowFocus(names)
  const add = (name: string): void => {
    focusRow(name)
    form.change((text) => text.set(["body", name], ""))
  }
  return (
    <>
      <div ref={list} className="param-rows">
        {names.map((name) => (
          <Row
            key={name}
            name={name}
            value={ownOf(body, name) ?? null}
            takesFiles={takesFiles}
            isRequired={fields.some((field) => field.path === name && field.isRequired)}
          />
        ))}
      </div>
      <div className="form-adder">
        <Picker
          label={takesFiles ? "Add part" : "Add field"}
          placeholder={takesFiles ? "Add part…" : "Add field…"}
          value=""
          find={(query) => findFields(query, fields, new Set(names))}
          onPick={({ text }) => add(text)}
          onText={add}
        />
      </div>
      <FieldProblems problems={problems} />
    </>
  )
}

interface RowProps {
  readonly name: string
  readonly value: JsonValue
  readonly takesFiles: boolean
  readonly isRequired: boolean
}

const isFile = (value: JsonValue): value is JsonObject => isJsonObject(value) && Object.hasOwn(value, "file")

function Row({ name, value, takesFiles, isRequired }: RowProps) {
  const form = useForm()
  const pointer: JsonPointer = ["body", name]
  const label = visibleText(name)
  return (
    <ValueRow
      name={name}
      label={label}
      pointer={pointer}
      isRequired={isRequired}
      words={isFile(value) ? "file" : ""}
      onRemove={() => form.change((text) => text.unset(pointer))}
    >
      {(isBad) => (
        <div className="part-value">
          {takesFiles ? (
            <label className="form-check">
              <input
                type="checkbox"
                checked={isFile(value)}
                onChange={({ target }) =>
                  form.change((text) => text.set(pointer, target.checked ? { file: "" } : ""))
                }
              />
              a file
            </label>
          ) : null}
          {isFile(value) ? (
            <FilePart name={name} part={value} />
          ) : (
            <ValueInput
              pointer={pointer}
              label={label}
              value={value}
              aria-invalid={isBad}
              // An empty part is sent as empty, so it stays until the user removes it.
              onChange={(next) => form.set(pointer, next ?? "")}
            />
          )}
        </div>
      )}
    </ValueRow>
  )
}

const partFields = [
  ["file", "file", "files/invoice.pdf"],
  ["filename", "file name", "the file's own name"],
  ["contentType", "content type", "application/octet-stream"],
] as const

function FilePart({ name, part }: { readonly name: string; readonly part: JsonObject }) {
  const form = useForm()
  return partFields.map(([field, words, placeholder]) => {
    const value = part[field]
    const pointer: JsonPointer = ["body", name, field]
    const isRequired = field === "file"
    return (
      <div key={field} className="part-field">
        <span className="form-unit" aria-hidden="true">
          {words}
        </span>
        <LiveInput
          pointer={pointer}
          label={`${visibleText(name)}: ${words}`}
          value={value === undefined ? "" : formatValue(value)}
          reads="text"
          placeholder={placeholder}
          onChange={(text) => (text === "" && !isRequired ? form.unset(pointer) : form.set(pointer, text))}
        />
      </div>
    )
  })
}
