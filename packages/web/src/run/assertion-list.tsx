// Assertions with their outcomes. A failed one shows the expected and received values.

import type { AssertionView } from "@callsheet/format"
import { LongText } from "../text/long-text.tsx"
import { ShownText } from "../text/shown-text.tsx"
import { StatusMark } from "./status-mark.tsx"
import { ShownValue, ValueDifference } from "./value-difference.tsx"

export function AssertionList({ assertions }: { readonly assertions: readonly AssertionView[] }) {
  return (
    <ul className="asserted-list" aria-label="Assertions">
      {assertions.map((assertion, index) => (
        <AssertionItem key={index} assertion={assertion} />
      ))}
    </ul>
  )
}

function AssertionItem({ assertion }: { readonly assertion: AssertionView }) {
  const { source, operator, expected, status, message } = assertion
  return (
    <li className={`asserted asserted-${status}`}>
      <StatusMark status={status === "undecidable" ? "skipped" : status} word={status} />
      <div className="asserted-words">
        <p>
          <code className="wrap">
            <ShownText text={source} />
          </code>{" "}
          <span className="faint">{operator}</span>{" "}
          {status === "passed" && expected !== undefined ? <ShownValue value={expected} /> : null}
        </p>
        {status === "passed" ? null : <ValueDifference assertion={assertion} />}
        {message === undefined ? null : (
          <p className="faint">
            <LongText text={message} />
          </p>
        )}
      </div>
    </li>
  )
}
