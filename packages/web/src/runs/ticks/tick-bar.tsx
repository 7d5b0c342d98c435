// The bar below a result with ticked values: adds them as assertions, in one step. Always in view.

import { useState } from "react"
import { ChevronDown, ChevronRight } from "lucide-react"
import { formatPath, wordsOf, type JsonValue } from "@callsheet/format"
import { count } from "../../ui/formats.ts"
import { ShownText } from "../../ui/shown-text.tsx"
import { visibleText } from "../../ui/visible-text.ts"
import { addAssertions, pathOf, valueAtSteps } from "../../kinds/values/value-edits.ts"
import { perform } from "../../kinds/values/value-items.ts"
import { AddSent } from "./add-sent.tsx"
import { AssertionRow } from "./assertion-row.tsx"
import { writtenAssertion } from "./new-blocks.ts"
import type { TickPlace } from "./tick-place.ts"
import {
  assertionOf,
  firstExpectation,
  isComparing,
  type Expectation,
  type ValueAssertion,
} from "./value-assertion.ts"
import type { Steps, useTicks } from "./use-ticks.ts"

interface Props {
  readonly ticks: ReturnType<typeof useTicks>
  /** The result, which the steps of ticks start at. */
  readonly result: JsonValue
  readonly place: TickPlace
}

export function TickBar({ ticks, result, place }: Props) {
  const [changes, setChanges] = useState<ReadonlyMap<string, Expectation>>(new Map())
  const [isOpen, setOpen] = useState(false)
  const rows = ticks.list.flatMap((steps) => {
    const value = valueAtSteps(result, steps)
    if (value === undefined) return []
    const key = formatPath(steps)
    const expected = changes.get(key) ?? firstExpectation(steps, value)
    return [{ key, steps, value, expected, assertion: assertionOf(steps, expected) }]
  })
  if (rows.length === 0) return null
  const assertions = rows.flatMap(({ assertion }) => assertion ?? [])
  const isInvalid = assertions.length < rows.length
  return (
    <section className="tick-bar" aria-label="New assertions">
      {isOpen ? (
        <ul className="tray-rows">
          {rows.map(({ key, ...row }) => (
            <AssertionRow
              key={key}
              {...row}
              path={place.kind === "block" ? pathOf({ block: place.block, steps: row.steps }) : key}
              onChange={(expected) => setChanges(new Map(changes).set(key, expected))}
              onRemove={() => ticks.toggle(row.steps)}
            />
          ))}
        </ul>
      ) : null}
      <div className="tick-line">
        <button
          type="button"
          className="button button-quiet tick-words"
          aria-expanded={isOpen}
          title="Change what is asserted"
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? <ChevronDown aria-hidden="true" /> : <ChevronRight aria-hidden="true" />}
          <span>{rows.map(({ steps, expected }) => wordsFor(steps, expected)).join(", ")}</span>
        </button>
        <Add key={place.kind} {...{ place, assertions, isInvalid }} onDone={ticks.clear} />
      </div>
    </section>
  )
}

/** Such as `status equals 200`. */
function wordsFor(steps: Steps, { operator, text }: Expectation): string {
  const name = formatPath(steps[0] === "response" ? steps.slice(1) : steps)
  return visibleText(
    `${name} ${wordsOf(operator).phrase}${isComparing(operator) ? ` ${text}` : ""}`.slice(0, 200),
  )
}

interface AddProps extends Pick<Props, "place"> {
  readonly assertions: readonly ValueAssertion[]
  /** True if an expected value is not valid JSON. */
  readonly isInvalid: boolean
  readonly onDone: () => void
}

function Add({ place, assertions, isInvalid, onDone }: AddProps) {
  if (place.kind === "sent")
    return <AddSent addition={{ added: place.sent, assertions }} isInvalid={isInvalid} />
  const { workflow, block } = place
  const add = (): void => {
    if (isInvalid) return
    perform(workflow, (document) =>
      addAssertions(
        document,
        block,
        assertions.map((one) => writtenAssertion(block, one)),
      ),
    )
    onDone()
  }
  return (
    <span className="tick-add">
      <button type="button" className="button" aria-disabled={isInvalid} onClick={add}>
        Add {count(assertions.length, "assertion")}
      </button>
      <span className="faint">
        after <ShownText text={block} />
      </span>
    </span>
  )
}
