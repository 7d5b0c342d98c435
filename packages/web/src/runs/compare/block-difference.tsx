// The differences of a block between two runs, in two columns: result, assertions, request, response and bodies.

import { useMemo, type ReactNode } from "react"
import {
  namedAssertions,
  stringifyJson,
  wordsOf,
  type AssertionView,
  type BlockComparison,
  type BlockDifference as Difference,
  type BlockReport,
  type Change,
  type JsonValue,
  type NoiseReason,
  type RequestView,
} from "@callsheet/format"
import { SideDiff } from "../../files/side-diff.tsx"
import { TextPair } from "../../files/text-pair.tsx"
import { HttpStatus, StatusMark } from "../marks/status-mark.tsx"
import { ShownText, LongText } from "../../ui/shown-text.tsx"
import { duration, size } from "../../ui/formats.ts"

interface BlockDifferenceProps {
  readonly row: BlockComparison
  readonly differences: readonly Difference[]
}

export function BlockDifference({ row, differences }: BlockDifferenceProps) {
  const { id, before, after, changes } = row
  const ofResponse = differences.toSorted((one, other) => Number(one.noise) - Number(other.noise))
  const isOnBoth = before !== undefined && after !== undefined
  return (
    <section className="block-detail" aria-label="Block in both runs">
      <header className="block-head">
        <h3>
          <ShownText text={id} />
        </h3>
        <p className="faint">{after?.type ?? before?.type}</p>
      </header>
      <Sides label="Results">
        <tr>
          <th scope="row">Result</th>
          <Result block={before} />
          <Result block={after} />
        </tr>
        {changes.map((change) => (
          <ChangedRow key={`${change.what} ${change.of ?? ""}`} change={change} row={row} />
        ))}
        {requestLine(before) === requestLine(after) ? null : (
          <TextsRow name="Request" before={requestLine(before)} after={requestLine(after)} />
        )}
      </Sides>
      {isOnBoth && isOtherBody(before.request, after.request) ? (
        <Bodies what="request" before={before.request?.body} after={after.request?.body} />
      ) : null}
      <Differences differences={ofResponse} />
      {differences.some(({ what }) => what === "body") ? (
        <Bodies what="response" before={before?.response?.body} after={after?.response?.body} />
      ) : null}
    </section>
  )
}

/** A table of two columns. The name of each row is above its values. */
function Sides({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <table className="sides" aria-label={label}>
      <thead className="only-read">
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  )
}

function Result({ block }: { readonly block: BlockReport | undefined }) {
  if (block === undefined)
    return (
      <td>
        <span className="faint">not in this run</span>
      </td>
    )
  const { status, reason, response, durationMs } = block
  return (
    <td>
      <span className={`outcome outcome-${status}`}>
        <StatusMark status={status} word="" />
        {reason === undefined ? status : `${status} (${reason})`}
      </span>
      {response === undefined ? null : (
        <>
          {" "}
          · <HttpStatus status={response.status} />
        </>
      )}
      {status === "skipped" ? null : <span className="faint"> · {duration(durationMs)}</span>}
    </td>
  )
}

interface TextsRowProps {
  readonly name: ReactNode
  /** Undefined or empty if the run has no such text. */
  readonly before: string | undefined
  readonly after: string | undefined
}

function TextsRow({ name, before, after }: TextsRowProps) {
  const cells = (one: ReactNode, other: ReactNode): ReactNode => (
    <tr>
      <th scope="row">{name}</th>
      <td>{one}</td>
      <td>{other}</td>
    </tr>
  )
  if (before && after && before !== after)
    return (
      <TextPair before={before} after={after}>
        {cells}
      </TextPair>
    )
  return cells(<OwnText text={before} />, <OwnText text={after} />)
}

const OwnText = ({ text }: { readonly text: string | undefined }) =>
  text ? <LongText text={text} /> : <span className="faint">none</span>

/** The results of a block have a row of their own. */
function ChangedRow({ change, row }: { readonly change: Change; readonly row: BlockComparison }) {
  if (change.what === "error") return <TextsRow name="Error" before={change.before} after={change.after} />
  return change.what === "assertion" ? <AssertionRow name={change.of ?? ""} row={row} /> : null
}

function AssertionRow({ name, row }: { readonly name: string; readonly row: BlockComparison }) {
  const [before, after] = useMemo(
    () => [row.before, row.after].map((block) => namedAssertions(block?.assertions ?? []).get(name)),
    [row, name],
  )
  const either = after ?? before
  if (either === undefined) return null
  const expected = either.expected === undefined ? "" : stringifyJson(either.expected)
  const cells = (one: ReactNode, other: ReactNode): ReactNode => (
    <tr>
      <th scope="row">
        Assertion{" "}
        <code className="wrap">
          <ShownText text={either.source} />
        </code>{" "}
        {wordsOf(either.operator).phrase} <LongText text={expected} />
      </th>
      <td>
        <Verdict assertion={before}>{one}</Verdict>
      </td>
      <td>
        <Verdict assertion={after}>{other}</Verdict>
      </td>
    </tr>
  )
  const [own, other] = [receivedText(before), receivedText(after)]
  if (own !== undefined && other !== undefined && own !== other)
    return (
      <TextPair before={own} after={other}>
        {cells}
      </TextPair>
    )
  return cells(
    own === undefined ? null : <LongText text={own} />,
    other === undefined ? null : <LongText text={other} />,
  )
}

interface VerdictProps {
  readonly assertion: AssertionView | undefined
  /** The received value. */
  readonly children: ReactNode
}

function Verdict({ assertion, children }: VerdictProps) {
  if (assertion === undefined) return <span className="faint">none</span>
  const { status, message } = assertion
  return (
    <>
      <span className={`outcome outcome-${status}`}>
        <StatusMark status={status === "undecidable" ? "skipped" : status} word="" />
        {status}
      </span>{" "}
      {children ?? (message === undefined ? null : <LongText text={message} />)}
    </>
  )
}

/** Returns the value that an assertion read. One that passed with `equals` may only have the expected one. */
function receivedText(assertion: AssertionView | undefined): string | undefined {
  if (assertion === undefined) return undefined
  const { actual, expected, operator, status } = assertion
  const received = actual ?? (status === "passed" && operator === "equals" ? expected : undefined)
  return received === undefined ? undefined : stringifyJson(received)
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
      <Sides label="Values of the responses">
        {differences.map((difference) => (
          <TextsRow
            key={`${difference.what} ${difference.path ?? ""}`}
            name={<DifferenceName difference={difference} />}
            before={difference.absent === "left" ? undefined : textOf(difference, difference.left)}
            after={difference.absent === "right" ? undefined : textOf(difference, difference.right)}
          />
        ))}
      </Sides>
    </section>
  )
}

function DifferenceName({ difference: { what, path, reason } }: { readonly difference: Difference }) {
  return (
    <>
      <LongText text={path === undefined ? what : `${what} ${path}`} />
      {reason === undefined ? null : (
        <>
          {" "}
          <span className="tag" title={reasons[reason]}>
            noise
          </span>
        </>
      )}
    </>
  )
}

const textOf = ({ what }: Difference, value: JsonValue): string =>
  what === "duration" && typeof value === "number" ? duration(value) : stringifyJson(value)

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
          {size(other.length)}. The report of each run shows its own.
        </p>
      ) : (
        <SideDiff before={own} after={other} label={`${what} before and after`} />
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

/** The base URLs of both runs. */
export interface BaseUrls {
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/** Returns whether a block sent another request in the second run. Another base URL makes no other request. */
export function isOtherRequest(
  { before, after }: Pick<BlockComparison, "before" | "after">,
  bases: BaseUrls,
): boolean {
  const isOtherLine = withoutBase(before, bases.before) !== withoutBase(after, bases.after)
  return isOtherLine || isOtherBody(before?.request, after?.request)
}

function withoutBase(block: BlockReport | undefined, bases: readonly string[]): string {
  if (block?.request === undefined) return ""
  const { method, url } = block.request
  const base = bases.find((each) => url.startsWith(each)) ?? ""
  return `${method} ${url.slice(base.length)}`
}
