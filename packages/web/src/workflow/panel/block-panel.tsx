// The right side of the editor: the form of the selected block, with the fields of its kind.

import {
  jsonRangeAt,
  type JsonPointer,
  type Problem,
  childFields,
  isJsonObject,
  type JsonValue,
} from "@callsheet/format"
import { Braces } from "lucide-react"
import { useMemo } from "react"
import type { FileName } from "@callsheet/server/calls"
import type { LocatedProblem } from "../../files/text/field-problems.ts"
import { CodeBlock } from "../../ui/copy-button.tsx"
import { RunBlockActions } from "../../runs/report/run-block-actions.tsx"
import { ProblemList } from "../../files/problem-list.tsx"
import { count } from "../../ui/formats.ts"
import { useProject } from "../../connection/queries.ts"
import { useOpenFile } from "../../files/open-files.ts"
import { apiOfBlock, type Reading, ReadingContext } from "../../forms/completion/roots.ts"
import { FormProvider } from "../../forms/context/form-context.tsx"
import { OwnProblems } from "../../forms/form-field.tsx"
import { kindViewOf } from "../../kinds/index.ts"
import type { WorkflowFile } from "../../blocks/block-place.ts"
import type { BlockRow, BranchRow } from "../../blocks/block-rows.ts"
import { CommonFields } from "./common-fields.tsx"
import { KindMark } from "../outline/kind-mark.tsx"
import { showBlockInText } from "../../blocks/show-in-text.ts"

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
        <RunBlockActions
          workflow={file.workflow}
          block={row.id === "" ? undefined : row.id}
          more={[
            {
              label: "Show in JSON",
              icon: <Braces aria-hidden="true" />,
              does: () => showBlockInText(file, pointer),
            },
          ]}
        />
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

interface FormProps {
  readonly file: FileName & { readonly kind: "workflow" }
  readonly pointer: JsonPointer
  /** The block as written in the file. It may be invalid. */
  readonly block: JsonValue
  /** The problems of this block. Pointers are relative to the block. */
  readonly problems: readonly LocatedProblem[]
}

const skips: readonly string[] = [...childFields, "id", "type", "description"]

/** Edits a block of the open file. Each edit is one undo step. */
function BlockForm({ file, pointer, block, problems }: FormProps) {
  const { text, value } = useOpenFile(file)
  const { data: project } = useProject()
  const place = JSON.stringify(pointer)
  const reading = useMemo(
    (): Reading => ({
      workflow: value === undefined ? undefined : { name: file.workflow, value },
      pointer,
      api: apiOfBlock(block),
      apis: project?.apis.map(({ name }) => name) ?? [],
    }),
    [value, file.workflow, place, block, project],
  )
  if (!isJsonObject(block)) return <p className="form-fault">This block is not an object. Edit it as JSON.</p>
  const Form = kindViewOf(block["type"])?.Form
  return (
    <ReadingContext value={reading}>
      <FormProvider
        // Another block at the same pointer needs a new form.
        key={`${place} ${JSON.stringify(block["id"] ?? null)}`}
        file={file}
        base={pointer}
        text={text}
        problems={problems}
        skips={skips}
      >
        <div className="block-form">
          <OwnProblems />
          {Form === undefined ? <p className="form-fault">Unknown block type.</p> : <Form block={block} />}
        </div>
      </FormProvider>
    </ReadingContext>
  )
}
