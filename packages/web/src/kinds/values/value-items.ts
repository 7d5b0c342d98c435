// Items of the menu of a received value, and their actions.

import { showPart } from "../../routes/workflow-part.ts"
import { isJsonArray, isJsonObject, type JsonValue } from "@callsheet/format"
import type { MenuItem } from "../../ui/menu.tsx"
import { editFile, openFileNow } from "../../files/open-files.ts"
import { type Document, type Done, setValue } from "../block-edits.ts"
import { lastField } from "../../forms/context/open-field.ts"
import { selectBlocks, say } from "../../blocks/editor-state.ts"
import { showField } from "../../blocks/show-in-text.ts"
import {
  withToken,
  addAssertions,
  addCondition,
  addLoop,
  addOutput,
  isComparable,
  isMasked,
  largeInteger,
  pathOf,
  tokenOf,
  type Assertion,
  type SeenValue,
} from "./value-edits.ts"

/** Returns the items. A value with a masked secret can't be compared, because the real value is different. */
export function valueItems(workflow: string, seen: SeenValue): readonly MenuItem[] {
  const { value } = seen
  const source = pathOf(seen)
  const assert = (assertion: Assertion): void =>
    perform(workflow, (document) => addAssertions(document, seen.block, [{ source, ...assertion }]))
  const equals =
    (expected: JsonValue): (() => void) =>
    () =>
      assert({ operator: "equals", value: expected })
  const integer = largeInteger(value)
  return [
    ...(!isComparable(value)
      ? []
      : integer === undefined
        ? [{ label: "Assert equals", does: equals(value) }]
        : [
            { label: "Assert equals the number", does: equals(integer) },
            { label: "Assert equals the text", does: equals(value) },
          ]),
    { label: "Assert exists", does: () => assert({ operator: "exists" }) },
    ...(value === null
      ? []
      : [{ label: "Assert has a value", does: () => assert({ operator: "hasValue" }) }]),
    ...containsItem(seen, assert),
    {
      label: "Save as transform",
      does: () => perform(workflow, (document) => addOutput(document, seen)),
    },
    {
      label: "Branch on it (condition)",
      does: () => perform(workflow, (document) => addCondition(document, seen)),
    },
    ...(isJsonArray(value)
      ? [
          {
            label: "Loop over it (forEach)",
            does: () => perform(workflow, (document) => addLoop(document, seen)),
          },
        ]
      : []),
    ...insertItem(workflow, seen),
    { label: "Copy token", note: tokenOf(seen).slice(0, 200), does: () => copyToken(tokenOf(seen)) },
  ]
}

function containsItem({ value }: SeenValue, assert: (assertion: Assertion) => void): readonly MenuItem[] {
  if (isMasked(value)) return []
  const [first] = isJsonArray(value) ? value : []
  const part = typeof value === "string" && value !== "" ? value.slice(0, 1_000) : first
  if (part === undefined || isJsonObject(part) || isJsonArray(part)) return []
  return [{ label: "Assert contains…", does: () => assert({ operator: "contains", value: part }) }]
}

/** Inserts the placeholder into the field that had the focus last, if its block can read the value. */
function insertItem(workflow: string, seen: SeenValue): readonly MenuItem[] {
  const field = lastField()
  if (field?.file.kind !== "workflow" || field.file.workflow !== workflow) return []
  const { file, pointer, reads, name } = field
  const change = withToken(
    openFileNow(file).value,
    field,
    reads === "path" ? pathOf(seen) : tokenOf(seen),
    seen,
  )
  if (change === undefined) return []
  const does = (): void => {
    editFile(file, (text) => setValue(text, pointer, change.value))
    showField(file, pointer)
    say("Inserted the placeholder. Press Ctrl Z to undo.")
  }
  return [{ label: `Insert into ${name}`, note: `of the block ${change.block}`, does }]
}

function copyToken(token: string): void {
  navigator.clipboard.writeText(token).then(
    () => say(`Copied ${token.slice(0, 100)}`),
    () => say("The browser blocked copying."),
  )
}

/** Makes an edit in one undo step, then shows the result in the editor. */
export function perform(workflow: string, action: (document: Document) => Done | undefined): void {
  const file = { kind: "workflow", workflow } as const
  const { text, value } = openFileNow(file)
  if (value === undefined) return say("The file is not valid JSON: fix it under JSON first.")
  const done = action({ text, value })
  if (done === undefined) return say("The block is no longer in the workflow.")
  editFile(file, () => done.text)
  selectBlocks(workflow, done.selected, openFileNow(file).value)
  showPart(workflow, "editor")
  say("Added after the request. Press Ctrl Z to undo.")
}
