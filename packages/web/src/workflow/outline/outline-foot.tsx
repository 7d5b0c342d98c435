// Adds blocks: the kinds in a workflow without blocks, and below the outline a button and the last announcement.

import { useEffect, useRef, useState } from "react"
import { blockKinds } from "@callsheet/format"
import { visibleText } from "../../ui/visible-text.ts"
import { kindSummary } from "../../kinds/index.ts"
import { useProject } from "../../connection/queries.ts"
import { isEmptyContainer, slotInside, type WorkflowFile } from "../../blocks/block-place.ts"
import { add } from "./block-commands.ts"
import type { OutlineRow } from "../../blocks/block-rows.ts"
import { addBlockId, focusForm } from "../../blocks/outline-dom.ts"
import { OutlineMenu, type ShownMenu } from "./outline-menu.tsx"
import { say, useStatusMessage } from "../../blocks/editor-state.ts"
import { KindMark } from "./kind-mark.tsx"

interface Props {
  readonly file: WorkflowFile
  readonly text: string
  readonly rows: readonly OutlineRow[]
  readonly activeIndex: number
}

export function OutlineFoot({ file, text, rows, activeIndex }: Props) {
  const [menu, setMenu] = useState<ShownMenu>()
  const words = useLastWords(file, text)
  const row = rows[activeIndex]
  return (
    <div className="wf-foot">
      <button
        type="button"
        id={addBlockId}
        className="button"
        aria-haspopup="menu"
        onClick={() => setMenu({ kind: "add", index: -1 })}
      >
        Add a block
      </button>
      {row?.row === "block" && slotInside(row) !== undefined && !isEmptyContainer(row) ? (
        <button
          type="button"
          className="button"
          aria-haspopup="menu"
          title="Add a block inside the selected one (Shift A)"
          onClick={() => setMenu({ kind: "add-inside", index: -1 })}
        >
          Add inside
        </button>
      ) : null}
      <p className="wf-status" role="status" title={visibleText(words)}>
        {visibleText(words)}
      </p>
      {menu === undefined ? null : (
        <OutlineMenu
          menu={menu}
          file={file}
          row={row}
          blocks={[]}
          onClose={() => setMenu(undefined)}
          onShow={(kind) => setMenu({ kind, index: -1 })}
        />
      )}
    </div>
  )
}

/** Returns the last announcement about the current text. An undo, an edit in a form or another workflow clears it. */
function useLastWords({ workflow }: WorkflowFile, text: string): string {
  const message = useStatusMessage()
  const last = useRef({ message, text })
  useEffect(() => {
    const before = last.current
    last.current = { message, text }
    if (before.message === message && before.text !== text && message.words !== "") say("")
  }, [message, text])
  useEffect(() => () => say(""), [workflow])
  return message.words
}

export function EmptyWorkflow({ file, hasList }: { readonly file: WorkflowFile; readonly hasList: boolean }) {
  const { data: project } = useProject()
  const apis = project?.apis.map(({ name }) => name) ?? []
  if (!hasList)
    return <p className="wf-empty faint">The file has no list of blocks. See its problem on the right.</p>
  return (
    <div className="wf-empty">
      <p className="faint">No blocks yet. Start with a request:</p>
      <ul className="wf-kinds">
        {blockKinds.map((kind) => (
          <li key={kind}>
            <button
              type="button"
              className="wf-kind-button"
              onClick={() => {
                add(file, { list: ["blocks"], index: 0 }, kind, apis)
                requestAnimationFrame(focusForm)
              }}
            >
              <KindMark kind={kind} />
              <span>
                <span aria-hidden="true">{kind}</span>
                <span className="menu-note">{kindSummary(kind)}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
