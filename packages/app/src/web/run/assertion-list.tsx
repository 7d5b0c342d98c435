// What was asserted: each with its outcome, and of one that failed what was expected and what came.

import type { AssertionView, JsonValue } from "@callsheet/format"
import { LongText } from "../text/long-text.tsx"
import { ShownText } from "../text/shown-text.tsx"
import { StatusMark } from "./status-mark.tsx"

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
  const { source, operator, expected, actual, status, message } = assertion
  return (
    <li className={`asserted asserted-${status}`}>
      <StatusMark status={status} />
      <div className="asserted-words">
        <p>
          <code className="wrap">
            <ShownText text={source} />
          </code>{" "}
          <span className="faint">{operator}</span>{" "}
          {status === "passed" && expected !== undefined ? <Value value={expected} /> : null}
        </p>
        {status === "passed" ? null : (
          <dl className="difference">
            <div>
              <dt>expected</dt>
              <dd className="difference-expected">
                {expected === undefined ? (
                  <span className="faint">{operator}</span>
                ) : (
                  <Value value={expected} />
                )}
              </dd>
            </div>
            <div>
              <dt>came</dt>
              <dd className="difference-came">
                {actual === undefined ? <span className="faint">nothing</span> : <Value value={actual} />}
              </dd>
            </div>
          </dl>
        )}
        {message === undefined ? null : (
          <p className="faint">
            <LongText text={message} />
          </p>
        )}
      </div>
    </li>
  )
}

function Value({ value }: { readonly value: JsonValue }) {
  return (
    <code className="wrap">
      <LongText text={JSON.stringify(value)} />
    </code>
  )
}
