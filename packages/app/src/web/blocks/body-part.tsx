// Overrides of a body: a path into it, and the value that it has there.

import { useLayoutEffect, useRef, useState } from "react"
import { isJsonObject, type JsonPointer, type JsonValue } from "@callsheet/format"
import type { BodyTypeView } from "../../api.ts"
import { visibleText } from "../text/visible-text.ts"
import { bodyFields, findFields, likelyForm, requiredFields, type BodyField } from "./body-fields.ts"
import { useFieldProblems, useForm } from "./form-context.tsx"
import { FieldProblems } from "./form-field.tsx"
import { Picker } from "./picker.tsx"
import { ValueInput } from "./value-input.tsx"
import { ValueRow } from "./value-row.tsx"

interface Props {
  readonly pointer: JsonPointer
  readonly upTo: JsonPointer
  readonly value: JsonValue | undefined
  readonly documented: BodyTypeView | undefined
  /** A saved request has a body of its own. */
  readonly showsRequired: boolean
}

export function BodyPart({ pointer, upTo, value, documented, showsRequired }: Props) {
  const [added, setAdded] = useState<readonly string[]>([])
  const list = useRef<HTMLDivElement>(null)
  const wanted = useRef<string>(undefined)
  const problems = useFieldProblems(pointer)
  const fields = bodyFields(documented?.type)
  const set = isJsonObject(value) ? Object.keys(value) : []
  const required = showsRequired ? requiredFields(fields, set).map(({ path }) => path) : []
  const paths = [...new Set([...required, ...set, ...added])]
  useLayoutEffect(() => {
    const path = wanted.current
    if (path === undefined) return
    wanted.current = undefined
    const row = list.current?.querySelectorAll<HTMLElement>(".param-row")[paths.indexOf(path)]
    row?.querySelector<HTMLElement>("input, textarea, select:not(.value-kind)")?.focus()
  })
  const add = (path: string): void => {
    wanted.current = path
    setAdded((known) => [...known, path])
  }
  return (
    <section className="form-part" aria-label="Body">
      <h2 className="form-head">
        Body
        {documented === undefined ? null : (
          <span className="form-aside">
            {visibleText(documented.mediaType)}
            {documented.required ? ", required" : ""}
          </span>
        )}
      </h2>
      <div ref={list} className="param-rows">
        {paths.map((path) => (
          <Row
            key={path}
            path={path}
            pointer={[...pointer, path]}
            upTo={upTo}
            value={isJsonObject(value) && Object.hasOwn(value, path) ? value[path] : undefined}
            field={fields.find((field) => field.path === path)}
            isRequired={required.includes(path)}
            onDrop={() => setAdded((known) => known.filter((one) => one !== path))}
          />
        ))}
      </div>
      <div className="form-adder">
        <Picker
          label="Add field of the body"
          placeholder="Add field…"
          value=""
          find={(query) => findFields(query, fields, new Set(paths))}
          onPick={({ text }) => add(text)}
          onText={add}
        />
      </div>
      <FieldProblems problems={problems} />
    </section>
  )
}

interface RowProps {
  readonly path: string
  readonly pointer: JsonPointer
  readonly upTo: JsonPointer
  readonly value: JsonValue | undefined
  readonly field: BodyField | undefined
  readonly isRequired: boolean
  readonly onDrop: () => void
}

function Row({ path, pointer, upTo, value, field, isRequired, onDrop }: RowProps) {
  const form = useForm()
  const label = `body ${visibleText(path)}`
  const write = (next: JsonValue | undefined): void =>
    next === undefined ? form.unset(pointer, upTo) : form.set(pointer, next)
  const { view } = field ?? {}
  const likely = likelyForm(view)
  const remove = (): void => {
    onDrop()
    if (value !== undefined) write(undefined)
  }
  return (
    <ValueRow
      name={path}
      label={label}
      pointer={pointer}
      isRequired={isRequired}
      words={view?.words ?? ""}
      description={view?.description}
      onEmpty={value === undefined && likely === "text" ? () => write("") : undefined}
      onRemove={value === undefined && isRequired ? undefined : remove}
    >
      {(isBad) => (
        <ValueInput
          label={label}
          value={value}
          likely={likely}
          placeholder={value === undefined ? "not set" : "empty"}
          values={view?.values}
          aria-invalid={isBad}
          onChange={write}
        />
      )}
    </ValueRow>
  )
}
