// A control for any JSON value: its type and the value. Invalid input isn't written to the file.

import { useState } from "react"
import type { JsonPointer, JsonValue } from "@callsheet/format"
import { TokenField } from "./tokens/token-field.tsx"
import { Select } from "./choice-field.tsx"
import type { ControlProps } from "./form-field.tsx"
import { InheritedControl } from "./inherited.tsx"
import { LiveInput } from "./live-input.tsx"
import { changedForm, formOf, formatValue, valueForms, valueOf, type ValueForm } from "./value-text.ts"

interface Props extends Partial<ControlProps> {
  readonly pointer: JsonPointer
  readonly value: JsonValue | undefined
  /** Called with the new value. Undefined if the user emptied the control. */
  readonly onChange: (value: JsonValue | undefined) => void
  readonly label: string
  /** The type to offer first for a value that isn't set. */
  readonly likely?: ValueForm | undefined
  readonly placeholder?: string | undefined
  readonly values?: readonly JsonValue[] | undefined
}

interface Typed {
  readonly text: string
  readonly form: ValueForm
  readonly over: JsonValue | undefined
}

export function ValueInput(props: Props) {
  const { pointer, value, onChange, label, likely = "text", placeholder, values, ...aria } = props
  const [typed, setTyped] = useState<Typed>()
  const [chosen, setChosen] = useState<ValueForm>()
  const form = value === undefined ? (chosen ?? likely) : formOf(value)
  // If undo or a change on disk has set another value, show that instead of the typed text.
  const own = typed !== undefined && typed.form === form && sameValue(typed.over, value) ? typed : undefined
  const text = own?.text ?? (value === undefined ? "" : formatValue(value))
  const isFaulty = own !== undefined && own.text.trim() !== "" && valueOf(own.text, form) === undefined
  const type = (next: string): void => {
    const parsed = next === "" || (form !== "text" && next.trim() === "") ? undefined : valueOf(next, form)
    const isEmpty = next.trim() === "" && form !== "text" ? true : next === ""
    const over = isEmpty ? undefined : (parsed ?? value)
    setTyped({ text: next, form, over })
    if (isEmpty || parsed !== undefined) onChange(parsed)
  }
  const choose = (next: ValueForm): void => {
    setTyped(undefined)
    setChosen(next)
    if (value !== undefined) onChange(changedForm(value, next))
    else if (next === "null") onChange(null)
  }
  const invalid = isFaulty || aria["aria-invalid"] === true
  const control = (
    <ValueControl
      aria={{ ...aria, "aria-invalid": invalid }}
      {...{ pointer, form, text, label, placeholder, values, type }}
    />
  )
  return (
    <span className="value-input">
      <Select
        className="value-kind"
        aria-label={`Kind of ${label}`}
        value={form}
        choices={Object.entries(valueForms)}
        onChange={(chosen) => choose(chosen as ValueForm)}
      />
      {form === "text" ? (
        control
      ) : (
        <InheritedControl pointer={pointer} label={label}>
          {control}
        </InheritedControl>
      )}
      {isFaulty ? <span className="form-fault">{faults[form]}</span> : null}
    </span>
  )
}

const faults: { readonly [F in ValueForm]: string } = {
  text: "",
  number: "This must be a number.",
  boolean: "This must be true or false.",
  null: "",
  json: "This is not valid JSON yet.",
}

/** Compares values by their text: every edit parses all values again, into new objects. */
const sameValue = (one: JsonValue | undefined, other: JsonValue | undefined): boolean =>
  one === other || (one !== undefined && other !== undefined && formatValue(one) === formatValue(other))

interface ControlParts {
  readonly pointer: JsonPointer
  readonly aria: Partial<ControlProps>
  readonly form: ValueForm
  readonly text: string
  readonly label: string
  readonly placeholder: string | undefined
  readonly values: readonly JsonValue[] | undefined
  readonly type: (text: string) => void
}

const booleans = [
  ["", "Choose…"],
  ["true", "true"],
  ["false", "false"],
] as const

function ValueControl({ pointer, aria, form, text, label, placeholder, values, type }: ControlParts) {
  const named = aria.id === undefined ? { "aria-label": label } : {}
  if (form === "null") return <span className="value-null faint">no value</span>
  if (form === "boolean")
    return <Select {...aria} {...named} value={text} choices={booleans} onChange={type} />
  if (form === "json")
    return (
      <TokenField text={text} reads="text" pointer={pointer}>
        <textarea
          {...aria}
          {...named}
          className="form-input form-area form-code"
          rows={Math.min(10, Math.max(2, text.split("\n").length))}
          spellCheck={false}
          value={text}
          onChange={(event) => type(event.target.value)}
        />
      </TokenField>
    )
  if (form === "number")
    return (
      <input
        {...aria}
        {...named}
        type="text"
        inputMode="decimal"
        className="form-input form-code"
        value={text}
        placeholder={placeholder}
        onChange={(event) => type(event.target.value)}
      />
    )
  return (
    <LiveInput
      {...aria}
      pointer={pointer}
      label={aria.id === undefined ? label : undefined}
      value={text}
      reads="text"
      placeholder={placeholder}
      values={values?.filter((one) => typeof one === "string")}
      onChange={type}
    />
  )
}
