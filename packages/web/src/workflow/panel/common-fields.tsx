// The fields of every kind of block: the id and the description.

import { useEffect, useState } from "react"
import { isJsonObject } from "@callsheet/format"
import type { LocatedProblem } from "../../files/text/field-problems.ts"
import { FieldProblems, ProblemField } from "../../forms/form-field.tsx"
import { editFile, openFileNow } from "../../files/open-files.ts"
import { count } from "../../ui/formats.ts"
import { visibleText } from "../../ui/visible-text.ts"
import { isTaken, renameBlock } from "@callsheet/language"
import { readingOf, setValue } from "../../kinds/block-edits.ts"
import type { WorkflowFile } from "../../blocks/block-place.ts"
import { rowName, type BlockRow } from "../../blocks/block-rows.ts"
import { changeEditor, editorNow, say } from "../../blocks/editor-state.ts"

interface Props {
  readonly file: WorkflowFile
  readonly row: BlockRow
  readonly problems: readonly LocatedProblem[]
}

export function CommonFields({ file, row, problems }: Props) {
  const of = (field: string) =>
    problems.filter(({ pointer }) => pointer[0] === field).map(({ problem }) => problem)
  if (!isJsonObject(row.value)) return null
  return (
    <div className="block-form common-fields">
      <IdField key={row.key} file={file} row={row} problems={of("id")} />
      <DescriptionField file={file} row={row} problems={of("description")} />
      <FieldProblems problems={row.kind === undefined ? [] : of("type")} />
    </div>
  )
}

interface FieldProps extends Omit<Props, "problems"> {
  readonly problems: Parameters<typeof FieldProblems>[0]["problems"]
}

/** Renames on blur or Enter, and updates all references in the same step. */
function IdField({ file, row, problems }: FieldProps) {
  const [typed, setTyped] = useState<{ readonly text: string; readonly over: string }>()
  const text = typed?.over === row.id ? typed.text : row.id
  const use = useUse(file, row.id, text)
  useEffect(() => setTyped(undefined), [row.id])
  const write = (): void => {
    if (text === row.id) return
    // The format requires an id, so restore it.
    if (text === "") return setTyped(undefined)
    if (isIdTaken(file, text)) return say(`The id ${visibleText(text.slice(0, 60))} is taken`)
    rename(file, row, text)
    setTyped(undefined)
  }
  return (
    <ProblemField
      label="Id"
      pointer={["id"]}
      problems={problems}
      note={use?.reading === undefined ? undefined : <span role="status">{readingWords(use.reading)}</span>}
      fault={use?.isTaken === true ? "Another block, an input or an iterator has this name." : undefined}
    >
      {(props) => (
        <input
          {...props}
          data-first-field
          className="form-input form-code"
          type="text"
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={({ target }) => setTyped({ text: target.value, over: row.id })}
          onBlur={() => {
            write()
            setTyped(undefined)
          }}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return
            // Ctrl-Enter and Alt-Enter also run the block, which needs its new id first.
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey || event.altKey)) return write()
            if (event.key === "Enter") write()
            else if (event.key === "Escape" && text !== row.id) setTyped(undefined)
            else return
            event.stopPropagation()
            event.preventDefault()
          }}
        />
      )}
    </ProblemField>
  )
}

const readingWords = (reading: number): string =>
  reading === 0
    ? "Nothing else uses it. Press Enter to rename it."
    : `${count(reading, "place")} in this workflow ${reading === 1 ? "uses" : "use"} it. Press Enter to rename it there too.`

function isIdTaken(file: WorkflowFile, id: string): boolean {
  const { text, value } = openFileNow(file)
  return value !== undefined && isTaken({ text, value }, id)
}

interface Use {
  readonly isTaken: boolean
  /** The number of references to the id. Set if the id can be changed. */
  readonly reading?: number
}

/** Milliseconds. A large workflow is searched only when the user pauses. */
const pause = 150

function useUse(file: WorkflowFile, id: string, text: string): Use | undefined {
  const [use, setUse] = useState<Use>()
  useEffect(() => {
    if (text === id || text === "") {
      setUse(undefined)
      return undefined
    }
    const timer = setTimeout(() => setUse(usedBy(file, id, text)), pause)
    return () => clearTimeout(timer)
  }, [file, id, text])
  return use
}

function usedBy(file: WorkflowFile, id: string, text: string): Use | undefined {
  const { text: whole, value } = openFileNow(file)
  if (value === undefined) return undefined
  if (isTaken({ text: whole, value }, text)) return { isTaken: true }
  return { isTaken: false, reading: readingOf(value, id) }
}

function rename(file: WorkflowFile, row: BlockRow, id: string): void {
  const { text, value } = openFileNow(file)
  if (value === undefined) return
  const { text: renamed, reading } = renameBlock({ text, value }, row.pointer, id)
  editFile(file, () => renamed)
  const { closed, active } = editorNow(file.workflow)
  const stillClosed = new Set(closed)
  if (stillClosed.delete(rowName(row))) stillClosed.add(rowName({ ...row, id }))
  changeEditor(file.workflow, { closed: stillClosed, ...(active === row.key ? { activeId: id } : {}) })
  say(
    reading === 0
      ? `Renamed to ${id}`
      : `Renamed to ${id}, and in ${count(reading, "place that uses", "places that use")} it`,
  )
}

function DescriptionField({ file, row, problems }: FieldProps) {
  const description = isJsonObject(row.value) ? row.value["description"] : undefined
  const text = typeof description === "string" ? description : ""
  const change = (next: string): void => {
    const pointer = [...row.pointer, "description"]
    editFile(file, (before) => setValue(before, pointer, next === "" ? undefined : next), {
      merge: `description ${row.key}`,
    })
  }
  return (
    <ProblemField label="Description" problems={problems}>
      {(props) => (
        <textarea
          {...props}
          className="form-input form-area"
          rows={Math.min(8, Math.max(1, text.split("\n").length))}
          placeholder="What this block is for"
          value={text}
          onChange={({ target }) => change(target.value)}
        />
      )}
    </ProblemField>
  )
}
