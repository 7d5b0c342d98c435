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
  type RequestView,
} from "@callsheet/format"
import { TextDiff } from "../../files/text-diff.tsx"
import { Table } from "../../ui/table.tsx"
import { ShownText, LongText } from "../../ui/shown-text.tsx"
import { duration, size } from "../../ui/formats.ts"

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
        {requestLine(before) === requestLine(after) ? null : (
          <tr>
            <th scope="row">Request</th>
            {[before, after].map((side, index) => (
              <td key={index}>
                <LongText text={requestLine(side)} />
              </td>
            ))}
          </tr>
        )}
        <tr>
          <th scope="row">Time</th>
          <td>{timeOf(before)}</td>
          <td>{timeOf(after)}</td>
        </tr>
      </Table>
      <Differences differences={differences} />
      {isOtherBody(before?.request, after?.request) ? (
        <Bodies what="request" before={before?.request?.body} after={after?.request?.body} />
      ) : null}
      {differences.some(({ what }) => what === "body") ? (
        <Bodies what="response" before={before?.response?.body} after={after?.response?.body} />
      ) : null}
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
  readonly what: "request" | "response"
  readonly before: JsonValue | undefined
  readonly after: JsonValue | undefined
}

function Bodies({ what, before, after }: BodiesProps) {
  const [own, other] = useMemo(() => [bodyText(before), bodyText(after)], [before, after])
  const name = what === "request" ? "Request" : "Response"
  return (
    <section className="block-part" aria-label={`${name} bodies`}>
      <h3>{name} body</h3>
      {own.length + other.length > MAX_CHARACTERS ? (
        <p className="faint">
          The bodies differ but are too large to show side by side: {size(own.length)} and{" "}
          {size(other.length)}.
        </p>
      ) : (
        <TextDiff before={own} after={other} label={`${what} before and after`} />
      )}
    </section>
  )
}

function bodyText(body: JsonValue | undefined): string {
  if (body === undefined) return ""
  return `${typeof body === "string" ? body : stringifyJson(body, { indent: 2 })}\n`
}

/** Such as `POST https://shop.example/orders`. Empty if the block sent no request. */
const requestLine = (block: BlockReport | undefined): string =>
  block?.request === undefined ? "" : `${block.request.method} ${block.request.url}`

const isOtherBody = (before: RequestView | undefined, after: RequestView | undefined): boolean =>
  before?.body !== after?.body && bodyText(before?.body) !== bodyText(after?.body)

/** Returns whether a block sent another request in the second run. */
export const isOtherRequest = ({ before, after }: Pick<BlockComparison, "before" | "after">): boolean =>
  requestLine(before) !== requestLine(after) || isOtherBody(before?.request, after?.request)
