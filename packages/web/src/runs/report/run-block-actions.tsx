// Tools that run everything up to a block, or only the block.

import { ListEnd, Play } from "lucide-react"
import type { ReactNode } from "react"
import { Toolbar, type Tool } from "../../ui/toolbar.tsx"
import { runOnly, runTo } from "../state/starts.ts"

interface Props {
  readonly workflow: string
  /** The block's id in the file. Undefined for a block that can't run. */
  readonly block: string | undefined
  /** Shown after these tools. */
  readonly more?: readonly Tool[]
  readonly children?: ReactNode
}

export const RunBlockActions = ({ workflow, block, more = [], children }: Props) => (
  <span className="run-block-actions">
    {children}
    <Toolbar of="the block" tools={[...(block === undefined ? [] : runTools(workflow, block)), ...more]} />
  </span>
)

const runTools = (workflow: string, block: string): readonly Tool[] => [
  {
    label: "Run to here",
    title: "Run to here: the workflow up to this block (Ctrl Shift Enter)",
    icon: <ListEnd aria-hidden="true" />,
    does: () => void runTo(workflow, block),
  },
  {
    label: "Run only this",
    title: "Run only this block, with the results of the last run (Alt Enter)",
    icon: <Play aria-hidden="true" />,
    does: () => void runOnly(workflow, block),
  },
]
