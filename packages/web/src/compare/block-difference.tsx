// The differences of a block between two runs: a table of outcome, status, assertions and error, and a diff of bodies.

import { useMemo } from "react"
import { stringifyJson, type BlockReport } from "@callsheet/format"
import { TextDiff } from "../editing/text-diff.tsx"
import { Table } from "../parts/table.tsx"
import { duration, size } from "../run/durations.ts"
import { LongText } from "../text/long-text.tsx"
import { ShownText } from "../text/shown-text.tsx"
import { hasOtherBody, type BlockComparison, type Change } from "./compare-runs.ts"

const words = { outcome: "Outcome", status: "Status", error: "Error", assertion: "Assertion" } as const

export function BlockDifference({ row }: { readonly row: BlockComparison }) {
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
      {hasOtherBody(before, after) ? <Bodies before={before} after={after} /> : null}
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
