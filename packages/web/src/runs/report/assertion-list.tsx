// Assertions with their outcomes. A failed one shows the expected and received values.

import { type AssertionView, stringifyJson, wordsOf, type JsonValue } from "@callsheet/format"
import { useMemo } from "react"
import { TextDiff } from "../../files/text-diff.tsx"
import { ShownText, LongText } from "../../ui/shown-text.tsx"
import { differenceTexts } from "./difference-texts.ts"
import { StatusMark } from "../marks/status-mark.tsx"

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
          <span className="faint">{wordsOf(operator).phrase}</span>{" "}
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

/** Shows large values as a diff. */
function ValueDifference({ assertion }: { readonly assertion: AssertionView }) {
  const { operator, expected, actual } = assertion
  const texts = useMemo(() => differenceTexts(assertion), [assertion])
  if (texts !== undefined)
    return (
      <>
        <p className="faint">− received, + expected</p>
        <TextDiff before={texts.actual} after={texts.expected} label="received and expected values" />
      </>
    )
  return (
    <dl className="difference">
      <div>
        <dt>expected</dt>
        <dd className="difference-expected">
          {expected === undefined ? (
            <span className="faint">{wordsOf(operator).lead}</span>
          ) : (
            <ShownValue value={expected} />
          )}
        </dd>
      </div>
      <div>
        <dt>received</dt>
        <dd className="difference-received">
          {actual === undefined ? <span className="faint">nothing</span> : <ShownValue value={actual} />}
        </dd>
      </div>
    </dl>
  )
}

function ShownValue({ value }: { readonly value: JsonValue }) {
  const text = useMemo(() => stringifyJson(value), [value])
  return (
    <code className="wrap">
      <LongText text={text} />
    </code>
  )
}
