// The right side of the editor: the form of the selected block or of the workflow.

import { jsonRangeAt, type JsonPointer, type Problem } from "@callsheet/format"
import type { LocatedProblem } from "../forms/field-problems.ts"
import { BlockForm } from "../forms/block-form.tsx"
import { CodeBlock } from "../ui/code-block.tsx"
import { RunBlockActions } from "../runs/run-block-actions.tsx"
import { ProblemList } from "../shell/pages/problem-list.tsx"
import { count } from "../ui/count.ts"
import type { WorkflowFile } from "./block-commands.ts"
import type { BlockRow, BranchRow } from "./block-rows.ts"
import { CommonFields } from "./common-fields.tsx"
import { KindMark } from "./kind-mark.tsx"
import { showBlockInText } from "./show-in-text.ts"

interface Props {
  readonly file: WorkflowFile
  readonly text: string
  readonly row: BlockRow
  readonly problems: readonly LocatedProblem[]
}

export function BlockPanel({ file, text, row, problems }: Props) {
  const { pointer, value, kind } = row

  return (
    <>
      <header className="wf-panel-head">
        <KindMark kind={kind} />
        <p className="wf-panel-words">{kind === undefined ? "Unknown block type." : kind}</p>
        {row.id === "" ? null : <RunBlockActions workflow={file.workflow} block={row.id} />}
        <button type="button" className="button" onClick={() => showBlockInText(file, pointer)}>
          Show in JSON
        </button>
      </header>
      <CommonFields file={file} row={row} problems={problems} />
      {kind === undefined ? (
        <BrokenBlock text={text} pointer={pointer} problems={problems.map(({ problem }) => problem)} />
      ) : (
        <BlockForm file={file} pointer={pointer} block={value} problems={problems} />
      )}
    </>
  )
}

/** Shows the text of a block for which no form works. */
function BrokenBlock({
  text,
  pointer,
  problems,
}: {
  readonly text: string
  readonly pointer: JsonPointer
  readonly problems: readonly Problem[]
}) {
  const range = jsonRangeAt(text, pointer)
  const raw = range === undefined ? "" : text.slice(range.from, range.to)
  return (
    <>
      <ProblemList problems={problems} />
      <CodeBlock what="JSON of the block" text={raw.length > 20_000 ? `${raw.slice(0, 20_000)}…` : raw} />
    </>
  )
}

export function BranchPanel({ row }: { readonly row: BranchRow }) {
  const when = row.branch === "then" ? "passes" : "fails"
  return (
    <>
      <header className="wf-panel-head">
        <span className="wf-branch">{row.branch}</span>
        <p className="wf-panel-words">Runs if the condition's check {when}.</p>
      </header>
      <p className="faint">
        {row.blocks === 0 ? "It has no blocks yet." : `It has ${count(row.blocks, "block")}.`} Add one with{" "}
        <kbd>a</kbd>, or drag one into it.
      </p>
    </>
  )
}
