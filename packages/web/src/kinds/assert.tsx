// Form of assert blocks: a script, or assertions to add, remove and reorder.

import { isJsonArray, type JsonObject, type JsonValue, type JsonPointer } from "@callsheet/format"
import type { KeyboardEvent } from "react"
import { ArrowDown, ArrowUp, X, ListChecks } from "lucide-react"
import { count } from "../ui/formats.ts"
import { CheckPart } from "./check-part.tsx"
import { AssertionFields, useNewAssertion } from "../forms/assertion-fields.tsx"
import { useForm } from "../forms/context/form-context.tsx"
import { RowButton, useRowFocus } from "../forms/value-row.tsx"
import { assertionSummary, freshCheck, scriptSummary, type KindView } from "./kind-view.ts"

export const assert: KindView = {
  Form: AssertForm,
  icon: ListChecks,
  summary: ({ script, assertions }) => scriptSummary(script) ?? assertionsSummary(assertions),
  fresh: (surroundings) => ({
    assertions: surroundings.request === undefined ? [] : [freshCheck(surroundings)],
  }),
  looksBack: true,
  color: "good",
}

function assertionsSummary(assertions: JsonValue | undefined): string {
  if (!isJsonArray(assertions) || assertions.length === 0) return "no assertions"
  return assertions.length === 1 ? assertionSummary(assertions[0]) : count(assertions.length, "assertion")
}

function AssertForm({ block }: { readonly block: JsonObject }) {
  const { assertions } = block
  return (
    <CheckPart
      context="AssertContext"
      block={block}
      field="assertions"
      label="Check with"
      words="Assertions"
      empty={() => []}
    >
      {isJsonArray(assertions) ? <AssertionRows pointer={["assertions"]} assertions={assertions} /> : null}
    </CheckPart>
  )
}

interface Props {
  readonly pointer: JsonPointer
  readonly assertions: readonly JsonValue[]
}

function AssertionRows({ pointer, assertions }: Props) {
  const form = useForm()
  const newAssertion = useNewAssertion()
  const { list, focusRow } = useRowFocus(assertions.map((_, index) => String(index)))
  const add = (): void => {
    focusRow(String(assertions.length))
    form.change((text) => text.insert(pointer, assertions.length, newAssertion()))
  }
  const remove = (index: number): void => {
    focusRow(String(Math.min(index, assertions.length - 2)))
    form.change((text) => text.unset([...pointer, index]))
  }
  const move = (index: number, by: -1 | 1): void => {
    const to = index + by
    if (to < 0 || to >= assertions.length) return
    focusRow(String(to))
    form.change((text) => text.move(pointer, index, by === 1 ? to + 1 : to))
  }
  const onKeyDown = (event: KeyboardEvent, index: number): void => {
    if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return
    event.preventDefault()
    event.stopPropagation()
    move(index, event.key === "ArrowUp" ? -1 : 1)
  }
  return (
    <div ref={list} className="assertions">
      {assertions.map((assertion, index) => (
        <div key={index} onKeyDown={(event) => onKeyDown(event, index)}>
          <AssertionFields pointer={[...pointer, index]} value={assertion} name={`Assertion ${index + 1}`}>
            <RowButtons
              name={`assertion ${index + 1}`}
              isFirst={index === 0}
              isLast={index === assertions.length - 1}
              onMove={(by) => move(index, by)}
              onRemove={() => remove(index)}
            />
          </AssertionFields>
        </div>
      ))}
      <button type="button" className="form-add" onClick={add}>
        Add assertion
      </button>
    </div>
  )
}

interface ButtonProps {
  readonly name: string
  readonly isFirst: boolean
  readonly isLast: boolean
  readonly onMove: (by: -1 | 1) => void
  readonly onRemove: () => void
}

function RowButtons({ name, isFirst, isLast, onMove, onRemove }: ButtonProps) {
  return (
    <span className="row-buttons">
      <RowButton
        name={`Move ${name} up`}
        title="Move up (Alt ↑)"
        icon={ArrowUp}
        isOff={isFirst}
        onPress={() => onMove(-1)}
      />
      <RowButton
        name={`Move ${name} down`}
        title="Move down (Alt ↓)"
        icon={ArrowDown}
        isOff={isLast}
        onPress={() => onMove(1)}
      />
      <RowButton name={`Remove ${name}`} title="Remove" icon={X} onPress={onRemove} />
    </span>
  )
}
