// From a block to its place in the text, and back.

import { createLineFinder, jsonPointersAt, jsonRangeAt, type JsonPointer } from "@callsheet/format"
import { openFileNow } from "../editing/open-files.ts"
import { showProblem } from "../editing/shown-problem.ts"
import type { WorkflowFile } from "./block-commands.ts"
import { blockLength } from "./block-problems.ts"
import { selectBlocks, showPart } from "./editor-state.ts"

/** Shows the text, with the caret where the block begins. */
export function showBlockInText(file: WorkflowFile, block: JsonPointer): void {
  const { text } = openFileNow(file)
  const range = jsonRangeAt(text, block)
  showPart(file.workflow, "json")
  if (range === undefined) return
  const { line, column } = createLineFinder(text)(range.from)
  showProblem(file, { code: "field-value", severity: "error", message: "", line, column })
}

/** Selects the innermost block around a place of the text; false where none is. */
export function selectBlockAt(file: WorkflowFile, offset: number): boolean {
  const { text, value } = openFileNow(file)
  if (value === undefined) return false
  const pointer = jsonPointersAt(text, [offset])[0] ?? []
  const length = blockLength(pointer)
  if (length === 0) return false
  selectBlocks(file.workflow, [pointer.slice(0, length)])
  return true
}
