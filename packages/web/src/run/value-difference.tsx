// The expected and received values of a failed assertion. Large values are shown as a diff.

import { useMemo } from "react"
import { stringifyJson, type AssertionView, type JsonValue } from "@callsheet/format"
import { TextDiff } from "../editing/text-diff.tsx"
import { LongText } from "../text/long-text.tsx"
import { differenceTexts } from "./difference-texts.ts"

export function ValueDifference({ assertion }: { readonly assertion: AssertionView }) {
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
            <span className="faint">{operator}</span>
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

export function ShownValue({ value }: { readonly value: JsonValue }) {
  const text = useMemo(() => stringifyJson(value), [value])
  return (
    <code className="wrap">
      <LongText text={text} />
    </code>
  )
}
