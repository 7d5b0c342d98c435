// Parameters by location: required and set ones, and a field to add more.

import { useState } from "react"
import type { JsonPointer, JsonValue } from "@callsheet/format"
import type { ParameterView } from "@callsheet/server/calls"
import { visibleText } from "../ui/visible-text.ts"
import { useFieldProblems, useForm } from "./form-context.tsx"
import { FieldProblems } from "./form-field.tsx"
import { LiveInput } from "./live-input.tsx"
import {
  findParams,
  paramRows,
  locationWords,
  type ParamName,
  type ParamRow,
  type ParamSuggestion,
} from "./param-rows.ts"
import { Picker } from "./picker.tsx"
import { useRowFocus, ValueRow } from "./value-row.tsx"
import { formatValue } from "./value-text.ts"

interface Props {
  readonly pointer: JsonPointer
  /** The outermost object to remove if it becomes empty, such as `overrides`. */
  readonly upTo: JsonPointer
  readonly params: JsonValue | undefined
  readonly documented: readonly ParameterView[]
  readonly showsRequired: boolean
}

const keyOf = ({ place, name }: ParamName): string => `${place} ${name}`

export function ParamsPart({ pointer, upTo, params, documented, showsRequired }: Props) {
  const [added, setAdded] = useState<readonly ParamName[]>([])
  const problems = useFieldProblems(pointer)
  const rows = paramRows({ params, documented, added, showsRequired })
  const { list, focusRow } = useRowFocus(rows.map(keyOf))
  const add = (param: ParamName): void => {
    focusRow(keyOf(param))
    setAdded((names) => [...names, param])
  }
  return (
    <section className="form-part" aria-label="Parameters">
      <h2 className="form-head">Parameters</h2>
      <div ref={list} className="param-rows">
        {rows.map((row) => (
          <Row
            key={keyOf(row)}
            row={row}
            pointer={[...pointer, row.place, row.name]}
            upTo={upTo}
            onEmpty={() => setAdded((names) => [...names, { place: row.place, name: row.name }])}
            onDrop={() =>
              setAdded((names) => names.filter(({ place, name }) => place !== row.place || name !== row.name))
            }
          />
        ))}
      </div>
      <div className="form-adder">
        <Picker
          label="Add parameter"
          placeholder="Add parameter…"
          value=""
          find={(query) => findParams(query, rows, documented)}
          onPick={(suggestion) => add((suggestion as ParamSuggestion).param)}
        />
      </div>
      <FieldProblems problems={problems} />
    </section>
  )
}

interface RowProps {
  readonly row: ParamRow
  readonly pointer: JsonPointer
  readonly upTo: JsonPointer
  /** Called if the user empties the value. The row stays while the user types in it. */
  readonly onEmpty: () => void
  readonly onDrop: () => void
}

function Row({ row, pointer, upTo, onEmpty, onDrop }: RowProps) {
  const form = useForm()
  const { place, name, value, view } = row
  const label = `${locationWords[place]} ${visibleText(name)}`
  const isRequired = view?.required === true
  const values = view?.values?.map((one) => (typeof one === "string" ? one : formatValue(one)))
  const write = (text: string): void => {
    if (text !== "") return form.set(pointer, text)
    onEmpty()
    form.unset(pointer, upTo)
  }
  const remove = (): void => {
    onDrop()
    if (value !== undefined) form.unset(pointer, upTo)
  }
  return (
    <ValueRow
      name={name}
      label={label}
      pointer={pointer}
      isRequired={isRequired}
      words={[locationWords[place], view?.words ?? ""].filter((part) => part !== "").join(" · ")}
      description={view?.description}
      onEmpty={value === undefined && place !== "path" ? () => form.set(pointer, "") : undefined}
      onRemove={value === undefined && isRequired ? undefined : remove}
    >
      {(isBad) => (
        <LiveInput
          pointer={pointer}
          label={label}
          aria-invalid={isBad}
          value={value === undefined ? "" : formatValue(value)}
          reads="text"
          placeholder={value === undefined ? "not set" : "empty"}
          values={values}
          onChange={write}
        />
      )}
    </ValueRow>
  )
}
