// The preview of generated tests: what is new in the document, what is left out, and each file with its steps.

import type { ReactNode } from "react"
import { GENERATED_FILE, isJsonObject, parseJson, type JsonValue } from "@callsheet/format"
import { fileAt, type ChangedFile, type TestsPreview } from "@callsheet/server/calls"
import { outlineRows } from "../../blocks/block-rows.ts"
import { FileTexts, PlanFiles } from "../../files/plan-dialog.tsx"
import { NameList, Preview } from "../../files/preview.tsx"
import { blockSummary } from "../../kinds/index.ts"
import { DescriptionLine } from "../../ui/description-line.tsx"
import { count } from "../../ui/formats.ts"
import { LongText, ShownText } from "../../ui/shown-text.tsx"

interface Props {
  readonly plan: TestsPreview
  readonly isUpdated: boolean
}

export function GeneratePreview({ plan, isUpdated }: Props) {
  const { fileCount, notes, kept, skipped, added, removed, workflows } = plan
  return (
    <Preview label="Preview">
      {isUpdated ? (
        <p role="alert" className="env-alarm">
          Files changed on disk, so nothing was written. These are the changes now.
        </p>
      ) : null}
      {notes.length === 0 ? null : (
        <ul className="plan-notes" aria-label="Notes">
          {notes.map((note) => (
            <li key={note}>
              <LongText text={note} />
            </li>
          ))}
        </ul>
      )}
      <p className="plan-count">
        {fileCount === 0
          ? "Everything is up to date."
          : `${count(workflows.length, "workflow")}. ${count(fileCount, "file")} will be written:`}
      </p>
      <Lines title="Added to the document" lines={added} />
      <Lines title="Removed from the document" lines={removed} />
      <Lines
        title="Kept, because you changed it"
        lines={kept.map(({ file, block, reason }) =>
          [file, block, reason].filter((part) => part !== undefined).join(": "),
        )}
      />
      <Lines title="Skipped" lines={skipped.map(({ operation, reason }) => `${operation}: ${reason}`)} />
      <PlanFiles plan={plan} describe={describeFile} />
    </Preview>
  )
}

/** A list that fits without scrolling is shown whole. */
const MAX_OPEN = 12

function Lines({ title, lines }: { readonly title: string; readonly lines: readonly string[] }) {
  if (lines.length === 0) return null
  return (
    <details className="plan-file plan-group" open={lines.length <= MAX_OPEN}>
      <summary>
        {title} ({lines.length.toLocaleString("en")})
      </summary>
      <NameList label={title} names={lines} />
    </details>
  )
}

/** A workflow has its steps, and its text if a person may have changed it. */
function describeFile(file: ChangedFile): ReactNode {
  const { path, before, after, isRemoved } = file
  if (path === GENERATED_FILE)
    return <p className="plan-same">Remembers what was generated, to keep your edits. Commit it.</p>
  if (fileAt(path)?.kind !== "workflow" || isRemoved === true) return undefined
  return (
    <>
      <Steps text={after} />
      {before === null ? null : <FileTexts file={file} />}
    </>
  )
}

/** The blocks of a workflow, each in one line. */
function Steps({ text }: { readonly text: string }) {
  const parsed = parseJson(text)
  if (!parsed.ok) return null
  return (
    <ol className="plan-steps" aria-label="Steps">
      {outlineRows(parsed.value, new Set()).map((row) =>
        row.row === "branch" ? null : (
          <li key={row.key} style={{ paddingLeft: `${(row.depth - 1) * 16}px` }}>
            <strong>
              <ShownText text={row.id} />
            </strong>{" "}
            <ShownText text={blockSummary(row.value)} /> <Why text={descriptionOf(row.value)} />
          </li>
        ),
      )}
    </ol>
  )
}

const Why = ({ text }: { readonly text: string | undefined }) =>
  text === undefined ? null : (
    <span className="faint">
      <DescriptionLine text={text} />
    </span>
  )

function descriptionOf(block: JsonValue): string | undefined {
  const description = isJsonObject(block) ? block["description"] : undefined
  return typeof description === "string" ? description : undefined
}
