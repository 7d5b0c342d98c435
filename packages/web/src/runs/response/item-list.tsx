// The items of a stream or the messages of the inbox: a list, and the selected one.

import { memo, useMemo, useState, type KeyboardEvent, type UIEvent } from "react"
import type { ContractProblem, JsonValue } from "@callsheet/format"
import { ValueSteps } from "../../kinds/values/value-button.tsx"
import { movedIndex } from "../../ui/list-keys.ts"
import { ShownText } from "../../ui/shown-text.tsx"
import { VirtualList } from "../../ui/virtual-list.tsx"
import { ticksIn, type Ticks } from "../ticks/use-ticks.ts"
import { BodyViewer } from "./body-viewer.tsx"
import { ContractProblems, verdicts } from "./contract-problems.tsx"
import {
  createItemVerdicts,
  itemWords,
  messageVerdict,
  type ItemVerdict,
  type ListedItems,
} from "./listed-items.ts"

const ROW_HEIGHT = 24
const noHeaders = {}

interface Props {
  readonly listed: ListedItems
  /** The violations of the response. */
  readonly problems: readonly ContractProblem[]
  /** The ticks of the body's values. */
  readonly ticks: Ticks | undefined
}

export function ItemList({ listed, problems, ticks }: Props) {
  const { what, words, total, items, steps } = listed
  const itemAt = (index: number): JsonValue | undefined => items[index - total + items.length]
  const verdictAt = useMemo(() => createItemVerdicts(problems), [problems])
  const verdictOf = (index: number): ItemVerdict =>
    what === "message" ? messageVerdict(itemAt(index)) : verdictAt(index)
  const { chosen, setChosen, active, onKeyDown, onScroll } = useSelection(listed, verdictOf)
  const indexes = useMemo(() => Array.from({ length: total }, (_, index) => index), [total])
  return (
    <>
      <p className="faint">{words}</p>
      {total === 0 ? null : (
        <VirtualList
          className="run-list"
          role="listbox"
          aria-label={what === "item" ? "Items" : "Messages"}
          tabIndex={0}
          aria-activedescendant={chosen === undefined ? undefined : domId(chosen)}
          onKeyDown={onKeyDown}
          onScroll={onScroll}
          rows={indexes}
          rowHeight={ROW_HEIGHT}
          activeIndex={active}
          render={(index) => (
            <ItemRow
              key={index}
              {...{ what, index, item: itemAt(index) }}
              status={verdictOf(index).status}
              isSelected={index === chosen}
              onSelect={setChosen}
            />
          )}
        />
      )}
      {chosen === undefined ? null : (
        <ValueSteps key={chosen} steps={[...steps, String(chosen)].join(".")}>
          <ChosenItem
            {...{ what, item: itemAt(chosen), verdict: verdictOf(chosen) }}
            ticks={ticks && ticksIn(ticks, [...steps, String(chosen)])}
          />
        </ValueSteps>
      )}
    </>
  )
}

/** The selected item: that of the user, or the first one that breaks the contract. */
function useSelection({ isGoing, total, items }: ListedItems, verdictOf: (index: number) => ItemVerdict) {
  const [chosen, setChosen] = useState(() =>
    isGoing || total === 0
      ? undefined
      : Math.max(
          0,
          items.findIndex((_, at) => isBroken(verdictOf(at))),
        ),
  )
  const [isAtEnd, setAtEnd] = useState(isGoing)
  return {
    chosen,
    setChosen,
    /** New items come into sight, unless the user has selected or scrolled to earlier ones. */
    active: chosen ?? (isAtEnd ? total - 1 : -1),
    onKeyDown: (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      const next = movedIndex(event.key, chosen ?? -1, total)
      if (next === undefined) return
      event.preventDefault()
      setChosen(next)
    },
    onScroll: ({ currentTarget: { scrollTop, clientHeight, scrollHeight } }: UIEvent): void =>
      setAtEnd(scrollTop + clientHeight > scrollHeight - ROW_HEIGHT),
  }
}

const isBroken = ({ status }: ItemVerdict): boolean => status === "failed"
const domId = (index: number): string => `item-${index}`

interface RowProps {
  readonly what: ListedItems["what"]
  readonly index: number
  /** Undefined for an early item of a stream that goes on. */
  readonly item: JsonValue | undefined
  readonly status: ItemVerdict["status"]
  readonly isSelected: boolean
  readonly onSelect: (index: number) => void
}

const ItemRow = memo(({ what, index, item, status, isSelected, onSelect }: RowProps) => {
  const { name, id, text } = item === undefined ? { text: "…" } : itemWords(what, item)
  const [words, tone] = status === undefined ? [] : verdicts[status]
  return (
    <div
      id={domId(index)}
      role="option"
      aria-selected={isSelected}
      className={`report-row ${isSelected ? "report-row-active" : ""}`}
      onClick={() => onSelect(index)}
    >
      <span className="item-index faint">{index.toLocaleString("en")}</span>
      <span className="report-label">
        {name === undefined ? null : (
          <>
            <ShownText text={name} />{" "}
          </>
        )}
        {id === undefined ? null : (
          <span className="faint">
            <ShownText text={id} />{" "}
          </span>
        )}
        <code>
          <ShownText text={text} />
        </code>
      </span>
      {words === undefined ? null : <span className={`tag ${tone}`}>{words}</span>}
    </div>
  )
})

interface ChosenProps extends Pick<RowProps, "what" | "item"> {
  readonly verdict: ItemVerdict
  readonly ticks: Ticks | undefined
}

function ChosenItem({ what, item, verdict: { problems }, ticks }: ChosenProps) {
  if (item === undefined) return <p className="faint">Shown when the stream has ended.</p>
  const inItem = what === "item" ? problems : problems.map((one) => ({ ...one, path: `/body${one.path}` }))
  return (
    <>
      {/* The violations of a stream are above its items. */}
      {what === "message" ? <ContractProblems problems={problems} /> : null}
      <BodyViewer
        what={what}
        body={item}
        headers={noHeaders}
        mayBeBytes={false}
        problems={inItem}
        ticks={ticks}
      />
    </>
  )
}
