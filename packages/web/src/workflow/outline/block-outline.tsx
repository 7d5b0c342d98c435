// The blocks of a workflow as a tree. Mouse and keyboard can edit it.

import {
  useEffect,
  useMemo,
  useState,
  type ClipboardEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
} from "react"
import type { JsonPointer } from "@callsheet/format"
import { VirtualList } from "../../ui/virtual-list.tsx"
import { copy, moveTo, nameOf, paste, remove } from "./block-commands.ts"
import type { BlockOutcomes } from "./block-outcomes.ts"
import { worstIn, type ProblemsByBlock } from "../../blocks/block-problems.ts"
import { rowName, type OutlineRow } from "../../blocks/block-rows.ts"
import { addHere, BlockRowView } from "./block-row.tsx"
import {
  openRow,
  selectedBlocks,
  selectRow,
  selectTo,
  toggleRow,
  useEditor,
  useShownRows,
} from "../../blocks/editor-state.ts"
import { onBlockKey } from "./on-block-key.ts"
import { focusForm, outlineId, rowDomId } from "../../blocks/outline-dom.ts"
import { OutlineMenu, type ShownMenu } from "./outline-menu.tsx"
import { slotFor, type WorkflowFile } from "../../blocks/block-place.ts"
import { useBlockDrag } from "./use-block-drag.ts"

const rowHeight = 28
/** Pixels. Must match `.wf-row`. */
const step = 16
const indent = 30

interface Props {
  readonly file: WorkflowFile
  readonly rows: readonly OutlineRow[]
  readonly activeIndex: number
  readonly problems: ProblemsByBlock
  readonly outcomes: BlockOutcomes
}

export function BlockOutline({ file, rows, activeIndex, problems, outcomes }: Props) {
  const [menu, setMenu] = useState<ShownMenu>()
  const active = rows[activeIndex]
  const { blocks, selected } = useSelection(file.workflow, rows, active)
  const drag = useBlockDrag({
    rows,
    rowHeight,
    step,
    indent,
    draggedWith: (row) => (row.row === "branch" ? [] : selected.has(row.key) ? blocks : [row.pointer]),
    onOpen: (name) => openRow(file.workflow, name, true),
    onDrop: (dragged, { slot }) => moveTo(file, dragged, slot),
  })
  return (
    <>
      <VirtualList
        id={outlineId}
        className={`wf-outline ${drag.dragged === undefined ? "" : "wf-dragging"}`}
        role="tree"
        aria-label="Blocks"
        aria-multiselectable="true"
        tabIndex={0}
        aria-activedescendant={active === undefined ? undefined : rowDomId(activeIndex)}
        {...keyHandlers({ file, rows, activeIndex, blocks, setMenu })}
        {...mouseHandlers({ file, rows, selected, setMenu, onPress: drag.onPointerDown })}
        rows={rows}
        rowHeight={rowHeight}
        activeIndex={activeIndex}
        render={(row, index) => (
          <BlockRowView
            key={row.key}
            row={row}
            domId={rowDomId(index)}
            isActive={index === activeIndex}
            isSelected={selected.has(row.key) || (index === activeIndex && row.row === "branch")}
            drop={dropAt(drag.place, index, rows.length)}
            problem={row.row === "branch" ? undefined : worstIn(problems, row.key, row.isOpen)}
            outcome={outcomes.get(row.key)}
            onToggle={() => openRow(file.workflow, rowName(row), row.isOpen !== true)}
          />
        )}
      />
      {drag.dragged === undefined ? null : (
        <div ref={drag.ghost} className="wf-ghost" aria-hidden="true">
          {nameOf(file, drag.dragged)}
        </div>
      )}
      {menu === undefined ? null : (
        <OutlineMenu
          menu={menu}
          file={file}
          row={rows[menu.index]}
          blocks={blocks}
          onClose={() => setMenu(undefined)}
          onShow={(kind) => setMenu({ kind, index: menu.index })}
        />
      )}
    </>
  )
}

interface Selection {
  readonly blocks: readonly JsonPointer[]
  readonly selected: ReadonlySet<string>
}

/** Keeps the selection, and makes it available to the rest of the page. */
function useSelection(
  workflow: string,
  rows: readonly OutlineRow[],
  active: OutlineRow | undefined,
): Selection {
  const { others } = useEditor(workflow)
  const blocks = useMemo(() => selectedBlocks(rows, active, others), [rows, active, others])
  const selected = useMemo(() => new Set(blocks.map((block) => block.join("/"))), [blocks])
  useEffect(() => {
    useShownRows.setState({ shown: { workflow, row: active, blocks } })
    return () => useShownRows.setState({ shown: undefined })
  }, [workflow, active, blocks])
  return { blocks, selected }
}

interface Handling extends Pick<Props, "file" | "rows"> {
  readonly setMenu: (menu: ShownMenu) => void
}

interface KeyHandling extends Handling, Pick<Props, "activeIndex">, Pick<Selection, "blocks"> {}

const keyHandlers = ({ file, rows, activeIndex, blocks, setMenu }: KeyHandling) => ({
  onKeyDown: (event: KeyboardEvent) =>
    onBlockKey(event, {
      file,
      rows,
      activeIndex,
      blocks,
      focusForm,
      showMenu: (kind) => setMenu({ kind, index: activeIndex }),
    }),
  onCopy: (event: ClipboardEvent) => void putOnClipboard(event, copy(file, blocks)),
  onCut: (event: ClipboardEvent) => {
    if (putOnClipboard(event, copy(file, blocks))) remove(file, blocks)
  },
  onPaste: (event: ClipboardEvent) => {
    event.preventDefault()
    paste(file, slotFor(rows[activeIndex]), event.clipboardData.getData("text/plain"))
  },
})

interface MouseHandling extends Handling, Pick<Selection, "selected"> {
  readonly onPress: (event: PointerEvent<HTMLElement>, row: OutlineRow) => void
}

function mouseHandlers({ file: { workflow }, rows, selected, setMenu, onPress }: MouseHandling) {
  const rowOf = (target: EventTarget): OutlineRow | undefined => {
    const key =
      target instanceof Element ? target.closest<HTMLElement>("[data-key]")?.dataset["key"] : undefined
    return key === undefined ? undefined : rows.find((row) => row.key === key)
  }
  return {
    onClick: (event: MouseEvent) => {
      const row = rowOf(event.target)
      if (row === undefined) return
      if (event.target instanceof Element && event.target.closest(`[${addHere}]`) !== null) {
        selectRow(workflow, row)
        setMenu({ kind: "add-inside", index: rows.indexOf(row) })
      } else if (event.shiftKey) selectTo(workflow, rows, row)
      else if (event.ctrlKey || event.metaKey) toggleRow(workflow, row)
      else selectRow(workflow, row)
    },
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      const row = rowOf(event.target)
      if (row !== undefined) onPress(event, row)
    },
    onContextMenu: (event: MouseEvent) => {
      const row = rowOf(event.target)
      if (row === undefined) return
      event.preventDefault()
      if (!selected.has(row.key)) selectRow(workflow, row)
      setMenu({ kind: "block", index: rows.indexOf(row) })
    },
  }
}

function putOnClipboard(event: ClipboardEvent, text: string): boolean {
  if (text === "") return false
  event.preventDefault()
  event.clipboardData.setData("text/plain", text)
  return true
}

function dropAt(
  place: ReturnType<typeof useBlockDrag>["place"],
  index: number,
  count: number,
): { readonly at: "above" | "below" | "into"; readonly depth: number } | undefined {
  if (place === undefined) return undefined
  if (place.into !== undefined) return place.into === index ? { at: "into", depth: place.depth } : undefined
  if (place.gap === index) return { at: "above", depth: place.depth }
  return place.gap === count && index === count - 1 ? { at: "below", depth: place.depth } : undefined
}
