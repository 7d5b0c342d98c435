// An assertion on a ticked value: its operator and expected value, evaluated against the received value.

import { checkOperator, operatorNames, operators, type JsonValue, type OperatorName } from "@callsheet/format"
import { ShownText } from "../../ui/shown-text.tsx"
import { visibleText } from "../../ui/visible-text.ts"
import { isComparable } from "../../kinds/values/value-edits.ts"
import { StatusMark } from "../marks/status-mark.tsx"
import { isComparing, type Expectation, type ValueAssertion } from "./value-assertion.ts"

interface Props {
  readonly path: string
  readonly value: JsonValue
  readonly expected: Expectation
  /** Undefined if the expected value is not valid JSON. */
  readonly assertion: ValueAssertion | undefined
  readonly onChange: (expected: Expectation) => void
  readonly onRemove: () => void
}

export function AssertionRow({ path, value, expected, assertion, onChange, onRemove }: Props) {
  const { operator, text } = expected
  const name = visibleText(path.slice(0, 200))
  const offered = operatorNames.filter((one) => isComparable(value) || !isComparing(one))
  const { passed } = checkOperator(operator, { found: true, value }, assertion?.value ?? null)
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
        onChange={(event) => onChange({ ...expected, operator: event.target.value as OperatorName })}
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
          onChange={(event) => onChange({ ...expected, text: event.target.value })}
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
