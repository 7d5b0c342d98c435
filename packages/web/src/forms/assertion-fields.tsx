// One assertion: its source, its operator, and the expected value if the operator needs one. A new one starts with the
// nearest request before it.

import {
  isJsonObject,
  operatorNames,
  operators,
  type JsonPointer,
  type JsonValue,
  type OperatorName,
  traitsOf,
} from "@callsheet/format"
import { type ReactNode, useContext } from "react"
import { pointerKey } from "../files/text/field-problems.ts"
import { FieldProblems } from "./form-field.tsx"
import { useFieldProblems, useForm } from "./context/form-context.tsx"
import { Select } from "./choice-field.tsx"
import { LiveInput } from "./live-input.tsx"
import { hasErrors } from "./value-row.tsx"
import { ValueInput } from "./value-input.tsx"
import { formatValue } from "./value-text.ts"
import { visibleNames } from "@callsheet/language"
import { ReadingContext } from "./completion/roots.ts"

interface Props {
  readonly pointer: JsonPointer
  readonly value: JsonValue | undefined
  /** Such as `Assertion 2`. */
  readonly name: string
  readonly children?: ReactNode
}

const isOperator = (name: JsonValue | undefined): name is OperatorName =>
  typeof name === "string" && (operatorNames as readonly string[]).includes(name)

const operatorChoices = operatorNames.map((name) => [name, operators[name].phrase] as const)

export function AssertionFields({ pointer, value, name, children }: Props) {
  const form = useForm()
  const problems = useFieldProblems(pointer)
  const { source, operator, value: expected } = isJsonObject(value) ? value : {}
  const takesValue = isOperator(operator) && operators[operator].takesValue
  const chosen = typeof operator === "string" ? operator : ""
  const at = (field: string): JsonPointer => [...pointer, field]
  const put = (field: string, next: JsonValue | undefined): void =>
    next === undefined ? form.unset(at(field)) : form.set(at(field), next)
  const chooseOperator = (next: string): void => {
    const drops = isOperator(next) && !operators[next].takesValue && expected !== undefined
    form.change((text) => {
      text.set(at("operator"), next)
      if (drops) text.unset(at("value"))
    })
  }
  return (
    <div className="assertion" role="group" aria-label={name} data-pointer={pointerKey(pointer)}>
      <div className="assertion-fields">
        <LiveInput
          pointer={at("source")}
          label={`${name}: source`}
          aria-invalid={hasErrors(problems)}
          value={source === undefined ? "" : formatValue(source)}
          reads="path"
          placeholder="block.response.status"
          // `source` is required. If its key were removed and added again, it would move to another position.
          onChange={(text) => put("source", text)}
        />
        <Select
          aria-label={`${name}: operator`}
          title={isOperator(operator) ? operators[operator].summary : undefined}
          value={chosen}
          choices={[...(isOperator(operator) ? [] : [[chosen, "Choose…"] as const]), ...operatorChoices]}
          onChange={chooseOperator}
        />
        {takesValue || expected !== undefined ? (
          <ValueInput
            pointer={at("value")}
            label={`${name}: value`}
            value={expected}
            likely={operator === "greaterThan" || operator === "lessThan" ? "number" : "text"}
            onChange={(next) => put("value", next)}
          />
        ) : null}
        {children}
      </div>
      <FieldProblems problems={problems} />
    </div>
  )
}

/** Returns a path into the result of the nearest request before the block. Undefined if there is none. */
export function useRequestBefore(part: string): () => string | undefined {
  const reading = useContext(ReadingContext)
  return () => {
    const { result } = visibleNames(reading?.workflow?.value, reading?.pointer ?? [])
    const request = result.find(
      (name) => name.is === "result" && traitsOf(name.block["type"])?.result === "response",
    )
    return request === undefined ? undefined : `${request.name}.${part}`
  }
}

export function useNewAssertion(): () => JsonValue {
  const before = useRequestBefore("response.status")
  return () => {
    const source = before()
    return source === undefined
      ? { source: "", operator: "exists" }
      : { source, operator: "equals", value: 200 }
  }
}
