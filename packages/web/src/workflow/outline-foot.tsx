// The area below the outline: the button to add a block, and the last announcement.

import { useEffect, useRef, useState } from "react"
import { visibleText } from "../ui/visible-text.ts"
import type { WorkflowFile } from "./block-commands.ts"
import type { OutlineRow } from "./block-rows.ts"
import { addBlockId } from "./outline-dom.ts"
import { OutlineMenu, type ShownMenu } from "./outline-menu.tsx"
import { say, useStatusMessage } from "./say.ts"

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
