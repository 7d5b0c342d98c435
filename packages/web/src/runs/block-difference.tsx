// The differences of a block between two runs: a table of outcome, status, assertions and error, and a diff of bodies.

import { useMemo } from "react"
import {
  stringifyJson,
  type BlockComparison,
  type BlockDifference as Difference,
  type BlockReport,
  type Change,
  type JsonValue,
  type NoiseReason,
} from "@callsheet/format"
import { TextDiff } from "../files/text-diff.tsx"
import { Table } from "../ui/table.tsx"
import { ShownText, LongText } from "../ui/shown-text.tsx"
import { duration, size } from "../ui/formats.ts"

const words = { outcome: "Outcome", status: "Status", error: "Error", assertion: "Assertion" } as const

interface BlockDifferenceProps {
  readonly row: BlockComparison
  readonly differences: readonly Difference[]
}

export function BlockDifference({ row, differences }: BlockDifferenceProps) {
  const { id, before, after, changes } = row
  return (
    <section className="block-detail" aria-label="Block in both runs">
      <header className="block-head">
        <h3>
          <ShownText text={id} />
        </h3>
        <p className="faint">{after?.type ?? before?.type}</p>
      </header>
      <Table columns={["Property", "Before", "After"]}>
        {changes.map((change) => (
          <Row key={`${change.what} ${change.of ?? ""}`} change={change} />
        ))}
        <tr>
          <th scope="row">Time</th>
          <td>{timeOf(before)}</td>
          <td>{timeOf(after)}</td>
        </tr>
      </Table>
      <Differences differences={differences} />
      {differences.some(({ what }) => what === "body") ? <Bodies before={before} after={after} /> : null}
    </section>
  )
}

function Row({ change: { what, of, before, after } }: { readonly change: Change }) {
  return (
    <tr>
      <th scope="row">
        {words[what]}
        {of === undefined ? null : (
          <>
            {" "}
            <LongText text={of} />
          </>
        )}
      </th>
      {[before, after].map((text, index) => (
        <td key={index}>{text === "" ? <span className="faint">none</span> : <LongText text={text} />}</td>
      ))}
    </tr>
  )
}

const reasons: { readonly [R in NoiseReason]: string } = {
  readOnly: "The contract marks this value as readOnly.",
  format: "Ids and times differ in each run.",
  baseline: "This value differs in each run.",
  body: "The server computes this header from the body.",
  connection: "This header describes the connection.",
  duration: "Durations differ in each run.",
}

function Differences({ differences }: { readonly differences: readonly Difference[] }) {
  if (differences.length === 0) return null
  return (
    <section className="block-part" aria-label="Response differences">
      <h3>Response differences</h3>
      <Table columns={["Value", "Before", "After"]}>
        {differences.map(({ what, path, left, right, absent, reason }) => (
          <tr key={`${what} ${path ?? ""}`}>
            <th scope="row">
              <LongText text={path === undefined ? what : `${what} ${path}`} />
              {reason === undefined ? null : (
                <span className="tag" title={reasons[reason]}>
                  noise
                </span>
              )}
            </th>
            <Value value={absent === "left" ? undefined : left} />
            <Value value={absent === "right" ? undefined : right} />
          </tr>
        ))}
      </Table>
    </section>
  )
}

const Value = ({ value }: { readonly value: JsonValue | undefined }) => (
  <td>
    {value === undefined ? <span className="faint">none</span> : <LongText text={stringifyJson(value)} />}
  </td>
)

const timeOf = (block: BlockReport | undefined): string =>
  block === undefined || block.status === "skipped" ? "" : duration(block.durationMs)

const MAX_CHARACTERS = 1_000_000

interface BodiesProps {
  readonly before: BlockReport | undefined
  readonly after: BlockReport | undefined
}

function Bodies({ before, after }: BodiesProps) {
  const [own, other] = useMemo(() => [bodyText(before), bodyText(after)], [before, after])
  return (
    <section className="block-part" aria-label="Response bodies">
      <h3>Response body</h3>
      {own.length + other.length > MAX_CHARACTERS ? (
        <p className="faint">
          The bodies differ but are too large to show side by side: {size(own.length)} and{" "}
          {size(other.length)}.
        </p>
      ) : (
        <TextDiff before={own} after={other} label="response before and after" />
      )}
    </section>
  )
}

function bodyText(block: BlockReport | undefined): string {
  const body = block?.response?.body
  if (body === undefined) return ""
  return `${typeof body === "string" ? body : stringifyJson(body, { indent: 2 })}\n`
}
