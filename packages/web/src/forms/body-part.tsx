// The values of a body at paths into it, one per row, and a field to add more. A block's overrides are such values.

import { useState } from "react"
import { type JsonPointer, type JsonValue, isJsonObject, ownOf } from "@callsheet/format"
import type { BodyTypeView } from "@callsheet/server/calls"
import { visibleText } from "../ui/visible-text.ts"
import { findFields, likelyForm, type BodyField, bodyFields, requiredFields } from "./body-fields.ts"
import { Picker } from "./picker.tsx"
import { PasswordOffer } from "./passwords/password-offer.tsx"
import { ValueInput } from "./value-input.tsx"
import { usePlaces, useRowFocus, ValueRow } from "./value-row.tsx"
import { useFieldProblems, useForm } from "./context/form-context.tsx"
import { FieldProblems } from "./form-field.tsx"
import type { PartTab } from "./params-part.tsx"

interface BodyValue {
  readonly value: JsonValue | undefined
  readonly pointer: JsonPointer
}

interface Props {
  readonly fields: readonly BodyField[]
  readonly paths: readonly string[]
  readonly required: readonly string[]
  readonly valueAt: (path: string) => BodyValue
  /** Sets the value at a path. Undefined removes it. */
  readonly onWrite: (path: string, value: JsonValue | undefined) => void
  readonly findingFor?: (path: string) => string | undefined
}

export function BodyRows({ fields, paths: known, required, valueAt, onWrite, findingFor }: Props) {
  const [added, setAdded] = useState<readonly string[]>([])
  const [fault, setFault] = useState<string>()
  const paths = usePlaces([...known, ...added])
  const { list, focusRow } = useRowFocus(paths)
  const add = (path: string): void => {
    const finding = findingFor?.(path)
    setFault(finding)
    if (finding !== undefined) return
    focusRow(path)
    setAdded((before) => [...before, path])
  }
  const write = (path: string, value: JsonValue | undefined): void => {
    // Keep the row: the user is still typing, and the next character sets the value again.
    if (value === undefined) setAdded((before) => [...before, path])
    onWrite(path, value)
  }
  const drop = (path: string): void => {
    setAdded((before) => before.filter((one) => one !== path))
    if (valueAt(path).value !== undefined) onWrite(path, undefined)
  }
  return (
    <>
      <div ref={list} className="param-rows">
        {paths.map((path) => (
          <Row
            key={path}
            path={path}
            {...valueAt(path)}
            field={fields.find((field) => field.path === path)}
            isRequired={required.includes(path)}
            onWrite={(value) => write(path, value)}
            onRemove={() => drop(path)}
          />
        ))}
      </div>
      <div className="form-adder">
        <Picker
          label="Add body field"
          placeholder="Add field…"
          value=""
          find={(query) => findFields(query, fields, new Set(paths))}
          onPick={({ text }) => add(text)}
          onText={add}
        />
      </div>
      {fault === undefined ? null : <p className="form-fault">{fault}</p>}
    </>
  )
}

interface RowProps extends BodyValue {
  readonly path: string
  readonly field: BodyField | undefined
  readonly isRequired: boolean
  readonly onWrite: (value: JsonValue | undefined) => void
  readonly onRemove: () => void
}

function Row({ path, value, pointer, field, isRequired, onWrite, onRemove }: RowProps) {
  const { view } = field ?? {}
  const likely = likelyForm(view)
  const label = `body ${visibleText(path)}`
  return (
    <ValueRow
      name={path}
      label={label}
      pointer={pointer}
      isRequired={isRequired}
      words={view?.words ?? ""}
      description={view?.description}
      onEmpty={value === undefined && likely === "text" ? () => onWrite("") : undefined}
      onRemove={value === undefined && isRequired ? undefined : onRemove}
      advice={
        view?.isPassword === true ? <PasswordOffer pointer={pointer} label={label} value={value} /> : null
      }
    >
      {(isBad) => (
        <ValueInput
          pointer={pointer}
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

/** The documented type of the body. */
export const BodyHead = ({ documented }: { readonly documented: BodyTypeView | undefined }) =>
  documented === undefined ? null : (
    <p className="form-aside">
      {visibleText(documented.mediaType)}
      {documented.required ? ", required" : ""}
    </p>
  )

interface PartProps {
  readonly pointer: JsonPointer
  readonly upTo: JsonPointer
  readonly value: JsonValue | undefined
  readonly documented: BodyTypeView | undefined
  /** False if the saved request has its own body. */
  readonly showsRequired: boolean
}

/** The overrides of a body. */
export function overriddenBodyTab(props: PartProps): PartTab {
  const { pointer, value, documented, showsRequired } = props
  const set = isJsonObject(value) ? Object.keys(value) : []
  return {
    name: "Body",
    count: set.length,
    isMissing:
      showsRequired &&
      requiredFields(bodyFields(documented?.type), set).some(({ path }) => !set.includes(path)),
    isDocumented: documented !== undefined || set.length > 0,
    pointers: [pointer],
    render: () => <BodyPart {...props} />,
  }
}

function BodyPart({ pointer, upTo, value, documented, showsRequired }: PartProps) {
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
          value: isJsonObject(value) ? ownOf(value, path) : undefined,
          pointer: [...pointer, path],
        })}
        onWrite={write}
      />
      <FieldProblems problems={problems} />
    </section>
  )
}
