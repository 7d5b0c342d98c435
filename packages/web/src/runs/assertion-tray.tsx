// The ticked values of a response as assertions, each evaluated against it. All are added in one step.

import { useState } from "react"
import {
  checkOperator,
  comparingOperators,
  operatorNames,
  operators,
  parseEdited,
  stringifyJson,
  type JsonValue,
  type OperatorName,
} from "@callsheet/format"
import { ShownText } from "../ui/shown-text.tsx"
import { visibleText } from "../ui/visible-text.ts"
import {
  addAssertions,
  isComparable,
  pathOf,
  type Assertion,
  type SeenValue,
} from "../workflow/values/value-edits.ts"
import { perform } from "../workflow/values/value-items.ts"
import { StatusMark } from "./status-mark.tsx"
import { count } from "../ui/formats.ts"

interface Props {
  readonly workflow: string
  readonly values: readonly SeenValue[]
  readonly onRemove: (index: number) => void
  readonly onDone: () => void
}

interface Wanted {
  readonly operator: OperatorName
  /** The expected value as JSON. */
  readonly text: string
}

export function AssertionTray({ workflow, values, onRemove, onDone }: Props) {
  const [changes, setChanges] = useState<ReadonlyMap<string, Wanted>>(new Map())
  const rows = values.map((seen) => {
    const path = pathOf(seen)
    const wanted = changes.get(path) ?? firstFor(seen.value)
    return { seen, path, wanted, assertion: assertionOf(path, wanted) }
  })
  const assertions = rows.flatMap(({ assertion }) => (assertion === undefined ? [] : [assertion]))
  const add = (): void => {
    const [first] = values
    if (first === undefined || assertions.length < rows.length) return
    perform(workflow, (document) => addAssertions(document, first.block, assertions))
    onDone()
  }
  return (
    <section className="tray" aria-label="New assertions">
      <ul className="tray-rows">
        {rows.map(({ path, ...row }, index) => (
          <Row
            key={path}
            {...row}
            path={path}
            onChange={(wanted) => setChanges(new Map(changes).set(path, wanted))}
            onRemove={() => onRemove(index)}
          />
        ))}
      </ul>
      <button
        type="button"
        className="button button-main"
        aria-disabled={assertions.length < rows.length}
        onClick={add}
      >
        Add {count(rows.length, "assertion")}
      </button>
    </section>
  )
}

/** A value with a masked secret can't be compared, because the real value is different. */
const firstFor = (value: JsonValue): Wanted =>
  isComparable(value) ? { operator: "equals", text: stringifyJson(value) } : { operator: "exists", text: "" }

/** Returns undefined if the expected value is not valid JSON. */
function assertionOf(source: string, { operator, text }: Wanted): Assertion | undefined {
  if (!isComparing(operator)) return { source, operator }
  const parsed = parseEdited(text)
  return parsed.ok ? { source, operator, value: parsed.value } : undefined
}

const isComparing = (operator: OperatorName): boolean => comparingOperators.some((one) => one === operator)

interface RowProps {
  readonly seen: SeenValue
  readonly path: string
  readonly wanted: Wanted
  readonly assertion: Assertion | undefined
  readonly onChange: (wanted: Wanted) => void
  readonly onRemove: () => void
}

function Row({ seen, path, wanted, assertion, onChange, onRemove }: RowProps) {
  const { operator, text } = wanted
  const name = visibleText(path.slice(0, 200))
  const offered = operatorNames.filter((one) => isComparable(seen.value) || !isComparing(one))
  const { passed } = checkOperator(operator, { found: true, value: seen.value }, assertion?.["value"] ?? null)
  return (
    <li className="tray-row">
      <StatusMark status={assertion !== undefined && passed ? "passed" : "failed"} />
      <code className="wrap">
        <ShownText text={path} />
      </code>
      <select
        className="form-input"
        aria-label={`Operator for ${name}`}
        value={operator}
        onChange={(event) => onChange({ ...wanted, operator: event.target.value as OperatorName })}
      >
        {offered.map((one) => (
          <option key={one} value={one}>
            {operators[one].phrase}
          </option>
        ))}
      </select>
      {isComparing(operator) ? (
        <input
          className="form-input form-code"
          aria-label={`Expected value of ${name}`}
          aria-invalid={assertion === undefined}
          spellCheck={false}
          value={text}
          onChange={(event) => onChange({ ...wanted, text: event.target.value })}
        />
      ) : null}
      <button
        type="button"
        className="quiet-button"
        aria-label={`Remove the assertion on ${name}`}
        onClick={onRemove}
      >
        ✕
      </button>
    </li>
  )
}
