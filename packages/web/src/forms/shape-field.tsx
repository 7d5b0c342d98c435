// A field of an object in the file. Its shape determines the control, the choices and the default.

import {
  stringifyJson,
  type JsonObject,
  type ObjectShape,
  type JsonPointer,
  type JsonValue,
  ownOf,
} from "@callsheet/format"
import { type ReactNode, useState } from "react"
import { ChoiceField } from "./choice-field.tsx"
import type { Reads } from "@callsheet/language"
import { useForm } from "./context/form-context.tsx"
import { FormField } from "./form-field.tsx"
import { textIn } from "./value-text.ts"
import { TextField } from "./text-field.tsx"
import { numberOf, numberText } from "./value-text.ts"

interface Props {
  /** The object in the file. It may be invalid. */
  readonly of: JsonObject
  readonly shape: ObjectShape
  readonly name: string
  readonly label: string
  /** The words for the values of an enum, and for its absence under an empty key. By default, the values. */
  readonly words?: Readonly<Record<string, string>>
  /** The unit of a number, or what a checkbox does. */
  readonly unit?: string
  readonly reads?: Reads
  /** By default, the default of the shape. */
  readonly placeholder?: string
  readonly note?: ReactNode
}

export function ShapeField(props: Props) {
  const { of, shape, name, label, words = {}, unit = "", placeholder, note, reads = "none" } = props
  const field = ownOf(shape.fields, name)
  const initial = field?.default
  const common = { label, pointer: [name], value: ownOf(of, name) }
  switch (field?.shape.is) {
    case "number":
      return (
        <NumberInput
          {...common}
          placeholder={placeholder ?? (initial === undefined ? undefined : stringifyJson(initial))}
          unit={unit}
        />
      )
    case "enum":
      return (
        <ChoiceField
          {...common}
          absent={words[""]}
          choices={field.shape.values.map((value) => [value, ownOf(words, value) ?? value])}
        />
      )
    case "boolean":
      return <CheckField of={of} name={name} label={label} does={unit} initial={initial === true} />
    default:
      return (
        <TextField
          {...common}
          reads={reads}
          placeholder={placeholder}
          note={note}
          isRequired={field?.required === true || isNeeded(shape, of, name)}
        />
      )
  }
}

/** Returns whether a rule requires the field for another field's value, such as `source` for the mode `forEach`. */
const isNeeded = ({ rules }: ObjectShape, of: JsonObject, name: string): boolean =>
  rules.some(
    (rule) =>
      rule.rule === "byValue" &&
      ownOf(rule.cases, textIn(ownOf(of, rule.field)))?.requires.includes(name) === true,
  )

interface CheckProps extends Pick<Props, "of" | "name" | "label"> {
  readonly does: string
  readonly initial: boolean
}

/** The default isn't written to the file. */
function CheckField({ of, name, label, does, initial }: CheckProps) {
  const form = useForm()
  const value = ownOf(of, name)
  const put = (next: boolean): void => (next === initial ? form.unset([name]) : form.set([name], next))
  return (
    <FormField label={label} pointer={[name]}>
      {(props) => (
        <span className="form-check">
          <input
            {...props}
            type="checkbox"
            checked={typeof value === "boolean" ? value : initial}
            onChange={({ target }) => put(target.checked)}
          />
          <label htmlFor={props.id}>{does}</label>
        </span>
      )}
    </FormField>
  )
}

interface NumberProps {
  readonly label: string
  readonly pointer: JsonPointer
  readonly value: JsonValue | undefined
  /** The value that applies if the field is empty. */
  readonly placeholder?: string | undefined
  readonly unit?: string
}

function NumberInput({ label, pointer, value, placeholder, unit }: NumberProps) {
  const form = useForm()
  const [typed, setTyped] = useState<{ readonly text: string; readonly over: JsonValue | undefined }>()
  // If undo or a change on disk has set another value, show that instead of the typed text.
  const isOwn = typed !== undefined && typed.over === value
  const text = isOwn ? typed.text : numberText(value)
  const isFaulty = isOwn && typed.text.trim() !== "" && numberOf(typed.text) === undefined
  const type = (next: string): void => {
    const number = numberOf(next)
    setTyped({ text: next, over: number ?? (next.trim() === "" ? undefined : value) })
    if (next.trim() === "") form.unset(pointer)
    else if (number !== undefined) form.set(pointer, number)
  }
  return (
    <FormField label={label} pointer={pointer} fault={isFaulty ? "This must be a number." : undefined}>
      {(props) => (
        <span className="form-number">
          <input
            {...props}
            type="text"
            inputMode="decimal"
            className="form-input"
            value={text}
            placeholder={placeholder}
            onChange={(event) => type(event.target.value)}
          />
          {unit === undefined ? null : <span className="form-unit">{unit}</span>}
        </span>
      )}
    </FormField>
  )
}
