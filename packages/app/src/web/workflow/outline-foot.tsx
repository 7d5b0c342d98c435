// Below the outline: the button that adds, and what was done last.

import { useState } from "react"
import { visibleText } from "../text/visible-text.ts"
import type { WorkflowFile } from "./block-commands.ts"
import type { OutlineRow } from "./block-rows.ts"
import { OutlineMenu, type ShownMenu } from "./outline-menu.tsx"
import { useSaid } from "./say.ts"

interface Props {
  readonly file: WorkflowFile
  readonly rows: readonly OutlineRow[]
  readonly activeIndex: number
}

export function OutlineFoot({ file, rows, activeIndex }: Props) {
  const [menu, setMenu] = useState<ShownMenu>()
  const words = useSaid((said) => said.words)
  const row = rows[activeIndex]
  return (
    <div className="wf-foot">
      <button
        type="button"
        id="add-block"
        className="button"
        aria-haspopup="menu"
        onClick={() => setMenu({ kind: "add", index: -1 })}
      >
        Add a block
      </button>
      <p className="wf-said" role="status" title={visibleText(words)}>
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
