// The text of a workflow. It stays in sync with the blocks, and replaces them if it doesn't parse.

import { createOffsetFinder, valueAt } from "@callsheet/format"
import { FileEditor } from "../files/file-editor.tsx"
import type { OpenFile } from "../files/open-file.ts"
import { openFileNow } from "../files/open-files.ts"
import { showProblem } from "../files/shown-problem.ts"
import { visibleText } from "../ui/visible-text.ts"
import { ProblemList } from "../shell/pages/problem-list.tsx"
import { ShownText } from "../ui/shown-text.tsx"
import type { WorkflowFile } from "./block-commands.ts"
import { useEditor } from "./editor-state.ts"
import { selectBlockAt, selectedPlace } from "./show-in-text.ts"

interface Props {
  readonly file: WorkflowFile
  readonly open: OpenFile
  /** True if the tab of blocks is selected but can't be shown. */
  readonly isBroken: boolean
}

export function TextPart({ file, open, isBroken }: Props) {
  const { problems } = open
  const [problem] = problems
  return (
    <div className="wf-text">
      {isBroken && open.state === "ready" ? (
        <div className="wf-broken">
          <p role="status">
            {problems.length === 0
              ? "The blocks can't be shown because the file is not a workflow."
              : "The blocks can't be shown until you fix this:"}
          </p>
          {problem === undefined ? null : (
            <button type="button" className="button" onClick={() => showProblem(file, problem)}>
              Go to it
            </button>
          )}
          <ProblemList problems={problems.slice(0, 3)} />
        </div>
      ) : null}
      <FileEditor
        name={file}
        label={`Text of ${visibleText(file.workflow)}.json`}
        onCursor={(place) => {
          selectBlockAt(file, createOffsetFinder(openFileNow(file).text)(place))
        }}
        startsAt={() => selectedPlace(file)}
      />
      <CursorPlace file={file} open={open} />
    </div>
  )
}

/** Selects the block at the cursor. */
function CursorPlace({ file, open }: Pick<Props, "file" | "open">) {
  const { active } = useEditor(file.workflow)
  const id =
    active === undefined || open.value === undefined
      ? undefined
      : valueAt(open.value, [...active.split("/"), "id"])
  return (
    <p className="wf-cursor">
      {typeof id === "string" && id !== "" ? (
        <>
          In the block <ShownText text={id} />
        </>
      ) : null}
    </p>
  )
}
