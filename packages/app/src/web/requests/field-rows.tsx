// The fields of a JSON body, a row each: those that it has, those that the document requires, and a field to add others.

import { useLayoutEffect, useRef, useState } from "react"
import { parsePath, type JsonPointer, type JsonValue } from "@callsheet/format"
import type { BodyTypeView } from "../../api.ts"
import { bodyFields, findFields, likelyForm, requiredFields, type BodyField } from "../blocks/body-fields.ts"
import { useFieldProblems, useForm } from "../blocks/form-context.tsx"
import { FieldProblems } from "../blocks/form-field.tsx"
import { Picker } from "../blocks/picker.tsx"
import { ValueInput } from "../blocks/value-input.tsx"
import { ValueRow } from "../blocks/value-row.tsx"
import { visibleText } from "../text/visible-text.ts"
import { pointerTo, type BodyLeaf } from "./body-leaves.ts"

interface Props {
  readonly leaves: readonly BodyLeaf[]
  readonly documented: BodyTypeView | undefined
}

export function FieldRows({ leaves, documented }: Props) {
  const form = useForm()
  const problems = useFieldProblems(["body"])
  const [added, setAdded] = useState<readonly string[]>([])
  const [fault, setFault] = useState<string>()
  const list = useRef<HTMLDivElement>(null)
  const wanted = useRef<string>(undefined)
  const fields = bodyFields(documented?.type)
  const set = new Map(leaves.map((leaf) => [leaf.path, leaf]))
  const required = requiredFields(fields, [...set.keys()]).map(({ path }) => path)
  const paths = [...new Set([...set.keys(), ...required, ...added])]
  useLayoutEffect(() => {
    const path = wanted.current
    if (path === undefined) return
    wanted.current = undefined
    const row = list.current?.querySelectorAll<HTMLElement>(".param-row")[paths.indexOf(path)]
    row?.querySelector<HTMLElement>("input, textarea, select:not(.value-kind)")?.focus()
  })
  const add = (path: string): void => {
    const isPath = parsePath(path).ok
    setFault(isPath ? undefined : "This is no path into the body.")
    if (!isPath) return
    wanted.current = path
    setAdded((known) => [...known, path])
  }
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
      <div ref={list} className="param-rows">
        {paths.map((path) => (
          <Row
            key={path}
            path={path}
            leaf={set.get(path)}
            field={fields.find((field) => field.path === path)}
            isRequired={required.includes(path)}
            onWrite={(value) => write(path, value)}
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
      {fault === undefined ? null : <p className="form-fault">{fault}</p>}
      <FieldProblems problems={problems} />
    </>
  )
}

interface RowProps {
  readonly path: string
  readonly leaf: BodyLeaf | undefined
  readonly field: BodyField | undefined
  readonly isRequired: boolean
  readonly onWrite: (value: JsonValue | undefined) => void
  readonly onDrop: () => void
}

function Row({ path, leaf, field, isRequired, onWrite, onDrop }: RowProps) {
  const { view } = field ?? {}
  const likely = likelyForm(view)
  const label = `body ${visibleText(path)}`
  const value = leaf?.value
  const pointer: JsonPointer = ["body", ...(leaf?.pointer ?? [path])]
  return (
    <ValueRow
      name={path}
      label={label}
      pointer={pointer}
      isRequired={isRequired}
      words={view?.words ?? ""}
      description={view?.description}
      onEmpty={value === undefined && likely === "text" ? () => onWrite("") : undefined}
      onRemove={
        value === undefined && isRequired
          ? undefined
          : () => {
              onDrop()
              if (value !== undefined) onWrite(undefined)
            }
      }
    >
      {(isBad) => (
        <ValueInput
          label={label}
          value={value}
          likely={likely}
          placeholder={value === undefined ? "not set" : "empty"}
          values={view?.values}
          aria-invalid={isBad}
          onChange={onWrite}
        />
      )}
    </ValueRow>
  )
}
