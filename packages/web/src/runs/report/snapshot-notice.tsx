// Says how many responses of a run differ from their snapshots or have none, and opens the list of the differences.

import { createContext, useContext, useMemo, useState } from "react"
import type { BlockReport } from "@callsheet/format"
import type { ShownReport } from "../../connection/follow-run.ts"
import { LoadingDialog } from "../../ui/dialog.tsx"
import { count } from "../../ui/formats.ts"
import { later } from "../../ui/later.tsx"
import { visibleText } from "../../ui/visible-text.ts"
import { partsIn } from "./report-rows.ts"

const [SnapshotDialog] = later(
  async () => (await import("../snapshots/snapshot-dialog.tsx")).SnapshotDialog,
  LoadingDialog,
)

/** The id of the finished run whose report is shown. */
const RunContext = createContext<string | undefined>(undefined)
export const SnapshotRunProvider = RunContext.Provider

const isDifferent = ({ error }: BlockReport): boolean => error?.code === "snapshot-differs"

export function SnapshotNotice({ run, report }: { readonly run: string; readonly report: ShownReport }) {
  const { runs, warnings } = report
  const different = useMemo(
    () =>
      runs.flatMap(({ blocks }) =>
        [...partsIn(blocks)].filter(({ block }) => block !== undefined && isDifferent(block)),
      ).length,
    [runs],
  )
  const missing = warnings.filter(({ code }) => code === "snapshot-missing").length
  if (different + missing === 0) return null
  return (
    <p className="snapshot-notice">
      <span>{wordsOf(different, missing)}</span>
      <OpenButton run={run} words={different === 0 ? "Store…" : "Review…"} />
    </p>
  )
}

function wordsOf(different: number, missing: number): string {
  const differ = `${count(different, "response differs", "responses differ")} from the snapshots`
  const lack = `${count(missing, "response has", "responses have")} no snapshot yet`
  return [different === 0 ? "" : differ, missing === 0 ? "" : lack].filter((words) => words !== "").join(", ")
}

/** Says that a response differs from its snapshot, and accepts the differences. */
export function SnapshotFault({ block }: { readonly block: BlockReport }) {
  const run = useContext(RunContext)
  if (!isDifferent(block)) return null
  const file = block.assertions?.find(({ status }) => status === "failed")?.file
  return (
    <div className="block-fault snapshot-fault">
      <p>
        The response differs from{" "}
        {file === undefined ? "its snapshot" : <code className="wrap">{visibleText(file)}</code>}.{" "}
        <code className="problem-code">snapshot-differs</code>
      </p>
      {run === undefined ? null : <OpenButton run={run} block={block.id} words="Accept changes…" />}
    </div>
  )
}

interface OpenProps {
  readonly run: string
  readonly block?: string
  readonly words: string
}

function OpenButton({ run, block, words }: OpenProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        {words}
      </button>
      {isOpen ? <SnapshotDialog run={run} block={block} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
