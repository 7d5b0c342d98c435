// Finds the position of a block in the text, and the block at a position.

import {
  createJsonLocator,
  createLineFinder,
  jsonPointersAt,
  jsonRangeAt,
  type JsonPointer,
  type LineColumn,
  valueAt,
} from "@callsheet/format"
import { openFileNow } from "../files/open-files.ts"
import { showProblem } from "../files/shown-problem.ts"
import { goTo } from "../routes/use-route.ts"
import type { WorkflowFile } from "./block-place.ts"
import { blockLength } from "./block-problems.ts"
import { editorNow, selectBlocks } from "./editor-state.ts"
import { showPart } from "../routes/workflow-part.ts"

/** Shows the text with the cursor at the start of the block. */
export function showBlockInText(file: WorkflowFile, block: JsonPointer): void {
  const place = placeOfBlock(file, block)
  showPart(file.workflow, "json")
  if (place !== undefined)
    showProblem(file, { code: "field-value", severity: "error", message: "", ...place })
}

/** Selects the block around a value in the editor, and focuses its field. */
export function showField(file: WorkflowFile, pointer: JsonPointer): void {
  const { text } = openFileNow(file)
  const place = createLineFinder(text)(createJsonLocator(text)(pointer, "value"))
  goTo(file)
  showPart(file.workflow, "editor")
  showProblem(file, { code: "field-value", severity: "warning", message: "", ...place })
}

/** Returns the start of the selected block. Undefined without one, or if the text doesn't parse. */
export function selectedPlace(file: WorkflowFile): LineColumn | undefined {
  const { active } = editorNow(file.workflow)
  const steps = active?.split("/").map((step) => (/^\d+$/.test(step) ? Number(step) : step))
  return steps === undefined ? undefined : placeOfBlock(file, steps)
}

function placeOfBlock(file: WorkflowFile, block: JsonPointer): LineColumn | undefined {
  const { text, value } = openFileNow(file)
  // Another program may have removed the block from the file.
  if (value === undefined || valueAt(value, block) === undefined) return undefined
  const range = jsonRangeAt(text, block)
  return range === undefined ? undefined : createLineFinder(text)(range.from)
}

/** Selects the innermost block at an offset. Returns false if there is none. */
export function selectBlockAt(file: WorkflowFile, offset: number): boolean {
  const { text, value } = openFileNow(file)
  if (value === undefined) return false
  const pointer = jsonPointersAt(text, [offset])[0] ?? []
  const length = blockLength(pointer)
  if (length === 0) return false
  selectBlocks(file.workflow, [pointer.slice(0, length)], value)
  return true
}
