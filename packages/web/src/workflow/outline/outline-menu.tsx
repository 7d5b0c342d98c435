// The menus of the outline: kinds to add, kinds to wrap blocks in, and all commands on blocks.

import { blockKinds, childFieldsOf, type JsonPointer } from "@callsheet/format"
import { kindSummary } from "../../kinds/index.ts"
import { useProject } from "../../connection/queries.ts"
import { Menu, type MenuItem } from "../../ui/menu.tsx"
import {
  add,
  copy,
  duplicate,
  move,
  nameOf,
  paste,
  remove,
  unwrap,
  wrap,
  wrappingKinds,
} from "./block-commands.ts"
import type { OutlineRow } from "../../blocks/block-rows.ts"
import { KindMark } from "./kind-mark.tsx"
import { addBlockId, focusForm, focusOutline, rowDomId } from "../../blocks/outline-dom.ts"
import { showBlockInText } from "../../blocks/show-in-text.ts"
import { isEmptyContainer, slotFor, slotInside, type WorkflowFile } from "../../blocks/block-place.ts"

type MenuKind = "add" | "add-inside" | "wrap" | "block"

export interface ShownMenu {
  readonly kind: MenuKind
  /** The index of its row. -1 for the button. */
  readonly index: number
}

interface Props {
  readonly menu: ShownMenu
  readonly file: WorkflowFile
  readonly row: OutlineRow | undefined
  readonly blocks: readonly JsonPointer[]
  readonly onClose: () => void
  readonly onShow: (kind: MenuKind) => void
}

export function OutlineMenu(props: Props) {
  const { menu, onClose } = props
  const { data: project } = useProject()
  const apis = project?.apis.map(({ name }) => name) ?? []
  const { label, items } = menuOf(props, apis)
  return (
    <Menu
      key={menu.kind}
      label={label}
      items={items}
      anchor={() => document.querySelector(`#${menu.index < 0 ? addBlockId : rowDomId(menu.index)}`)}
      onClose={(goesBack) => {
        onClose()
        if (goesBack) focusOutline()
      }}
    />
  )
}

function menuOf(
  props: Props,
  apis: readonly string[],
): { readonly label: string; readonly items: readonly MenuItem[] } {
  const { menu, file, row, blocks } = props
  if (menu.kind === "wrap")
    return { label: `Wrap ${nameOf(file, blocks)} in`, items: wrapItems(file, blocks) }
  if (menu.kind === "block") return { label: `Actions for ${nameOf(file, blocks)}`, items: blockItems(props) }
  const inside = menu.kind === "add-inside" || isEmptyContainer(row) ? slotInside(row) : undefined
  const where = inside === undefined ? (row === undefined ? "at the end" : "below it") : insideWords(row)
  return {
    label: `Add a block ${where}`,
    items: blockKinds.map((kind) => ({
      label: kind,
      icon: <KindMark kind={kind} />,
      note: kindSummary(kind),
      does: () => add(file, inside ?? slotFor(row), kind, apis),
    })),
  }
}

/** Names the list in which the block is added. A condition has two. */
function insideWords(row: OutlineRow | undefined): string {
  if (row?.row === "branch") return `to ${row.branch}`
  const [first = "", ...others] = row === undefined ? [] : childFieldsOf(row.kind)
  return others.length > 0 ? `to ${first}` : "inside it"
}

const wrapItems = (file: WorkflowFile, blocks: readonly JsonPointer[]): readonly MenuItem[] =>
  wrappingKinds.map((kind) => ({
    label: kind,
    icon: <KindMark kind={kind} />,
    note: kindSummary(kind),
    does: () => wrap(file, blocks, kind),
  }))

function blockItems({ file, row, blocks, onShow }: Props): readonly MenuItem[] {
  const isContainer = row?.row === "block" && row.isOpen !== undefined
  const [first] = blocks
  const items: readonly (MenuItem | undefined)[] = [
    { label: "Edit", key: "Enter", does: focusForm },
    { label: "Add below…", key: "a", does: () => onShow("add") },
    slotInside(row) === undefined
      ? undefined
      : { label: "Add inside…", key: "Shift A", does: () => onShow("add-inside") },
    { label: "Duplicate", key: shown("Ctrl D"), does: () => duplicate(file, blocks) },
    { label: "Wrap in…", key: "w", does: () => onShow("wrap") },
    isContainer && row.row === "block"
      ? { label: "Unwrap", key: "u", does: () => unwrap(file, row.pointer) }
      : undefined,
    { label: "Move up", key: "Alt ↑", does: () => move(file, blocks, "up") },
    { label: "Move down", key: "Alt ↓", does: () => move(file, blocks, "down") },
    { label: "Move into the block above", key: "Alt →", does: () => move(file, blocks, "in") },
    { label: "Move out", key: "Alt ←", does: () => move(file, blocks, "out") },
    {
      label: "Cut",
      key: shown("Ctrl X"),
      does: () => {
        writeClipboard(copy(file, blocks))
        remove(file, blocks)
      },
    },
    { label: "Copy", key: shown("Ctrl C"), does: () => writeClipboard(copy(file, blocks)) },
    {
      label: "Paste below",
      key: shown("Ctrl V"),
      does: () => void readClipboard().then((text) => paste(file, slotFor(row), text)),
    },
    first === undefined ? undefined : { label: "Show in JSON", does: () => showBlockInText(file, first) },
    { label: "Delete", key: "Delete", isDanger: true, does: () => remove(file, blocks) },
  ]
  const isBlock = blocks.length > 0
  return items
    .filter((item) => item !== undefined)
    .filter(({ label }) => isBlock || /^(?:Add|Paste)/.test(label))
}

/** The names of keys depend on the user's keyboard. */
const isMac = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? "")

const shown = (keys: string): string => (isMac ? keys.replace("Ctrl", "Cmd") : keys)

/**
 * The text that this page copied last, for items of menus: a browser might not let the page read the clipboard. Shortcuts
 * use the data of their events.
 */
let last = ""

function writeClipboard(text: string): void {
  last = text
  void navigator.clipboard.writeText(text).catch(() => undefined)
}

const readClipboard = (): Promise<string> => navigator.clipboard.readText().catch(() => last)
