// The editor of a workflow: its blocks, the form of the selected one, and its result in the last run.

import { useEffect, useMemo, useRef, type ReactNode } from "react"
import {
  isJsonArray,
  isJsonObject,
  parseEdited,
  rawBlocks,
  type JsonValue,
  type Problem,
} from "@callsheet/format"
import { locateProblems } from "../files/text/field-problems.ts"
import { focusField } from "../forms/form-field.tsx"
import { EditArea } from "../files/edit-area.tsx"
import { useShownRun } from "../runs/state/shown-run.ts"
import { Split, useNarrowWindow } from "../ui/split.tsx"
import { useShownProblem } from "../files/shown-problem.ts"
import { useBehindPaint } from "../ui/use-behind-paint.ts"
import { blockOf, hashOf, hashOfBlock, routeOf } from "../routes/route.ts"
import { RunBlocksProvider } from "../runs/report/read-exchange.tsx"
import { blockIds, writtenId } from "@callsheet/language"
import { selectBlock } from "../runs/state/use-run-keys.ts"
import { count } from "../ui/formats.ts"
import { usePointerOfOpen, withoutOpen } from "../forms/context/open-field.ts"
import { BlockOutline } from "./outline/block-outline.tsx"
import { BlockPanel, BranchPanel } from "./panel/block-panel.tsx"
import { BlockResult } from "./panel/block-result.tsx"
import { blockLength, problemsByBlock, type ProblemsByBlock } from "../blocks/block-problems.ts"
import { outlineRows, rowName, type OutlineRow } from "../blocks/block-rows.ts"
import {
  activeRow,
  isSelectionNewerThanAddress,
  selectBlocks,
  selectRow,
  useEditor,
  useNewBlock,
  changeEditor,
  editorNow,
  writeAddress,
} from "../blocks/editor-state.ts"
import { keyOf, type WorkflowFile } from "../blocks/block-place.ts"
import { EmptyWorkflow, OutlineFoot } from "./outline/outline-foot.tsx"
import { focusOutline, panelId } from "../blocks/outline-dom.ts"
import { useBlockOutcomes } from "./outline/use-block-outcomes.ts"
import { WorkflowSettings } from "./panel/workflow-settings.tsx"
import type { OpenFile } from "../files/file-state.ts"

interface Props {
  readonly file: WorkflowFile
  /** The text of the workflow, which must parse. */
  readonly open: OpenFile
  readonly value: JsonValue
}

/** Pixels. In a wide window, the form and the result get the rest. */
const outlinePane = { id: "workflow-blocks", size: 340, minSize: 220, isFixed: true } as const

const blockPane = { id: "workflow-block", minSize: 280 } as const

export function EditorPart({ file, open, value }: Props) {
  const editor = useEditor(file.workflow)
  const text = usePreparedText(open)
  const rows = useMemo(() => outlineRows(value, editor.closed), [value, editor.closed])
  const located = useLocatedProblems(file.workflow, open)
  const { outcomes, isAtWork, blocks } = useBlockOutcomes(file.workflow, value)
  const activeIndex = activeRow(rows, editor)
  const row = rows[activeIndex]
  const block = row?.row === "block" ? row.id : ""
  useSelectionShown(file.workflow, rows)
  useBlockInAddress(file.workflow, value, block)
  useShownProblem(file, (problem) => showInForm(file.workflow, open, problem))
  useSelectedForRuns(file.workflow, block)
  return (
    <EditArea name={file} className="wf-editor">
      <Split
        id="workflow"
        label="Resize the blocks"
        panes={[
          {
            ...outlinePane,
            content: (
              <div className="wf-side">
                <SettingsRow file={file} value={value} isShown={row === undefined} problems={located} />
                {rows.length === 0 ? (
                  <EmptyWorkflow file={file} hasList={isJsonObject(value) && isJsonArray(value["blocks"])} />
                ) : (
                  <BlockOutline {...{ file, rows, activeIndex, problems: located, outcomes }} />
                )}
                <OutlineFoot {...{ file, text, rows, activeIndex }} />
              </div>
            ),
          },
          {
            ...blockPane,
            content: (
              <FormAndResult
                workflow={file.workflow}
                form={
                  <FormPane row={row} {...useFocusKept(row?.key)}>
                    <RowForm {...{ file, text, value, row, problems: located }} />
                  </FormPane>
                }
                result={
                  <RunBlocksProvider value={blocks}>
                    <BlockResult
                      key={row?.key}
                      {...{ workflow: file.workflow, value, row, isAtWork }}
                      outcome={row === undefined ? undefined : outcomes.get(row.key)}
                    />
                  </RunBlocksProvider>
                }
              />
            ),
          },
        ]}
      />
    </EditArea>
  )
}

interface RowFormProps {
  readonly file: WorkflowFile
  readonly text: string
  readonly value: JsonValue
  readonly row: OutlineRow | undefined
  readonly problems: ProblemsByBlock
}

/** The form of the selected row. Without one, the settings of the workflow. */
function RowForm({ file, text, value, row, problems }: RowFormProps) {
  if (row === undefined)
    return isJsonObject(value) ? (
      <WorkflowSettings file={file} text={text} value={value} problems={problems.get("") ?? []} />
    ) : null
  return row.row === "branch" ? (
    <BranchPanel row={row} />
  ) : (
    <BlockPanel file={file} text={text} row={row} problems={problems.get(row.key) ?? []} />
  )
}

interface FormAndResultProps {
  readonly workflow: string
  readonly form: ReactNode
  readonly result: ReactNode
}

/** Shows the form and the result side by side in a wide window, and otherwise below each other. */
function FormAndResult({ workflow, form, result }: FormAndResultProps) {
  const isNarrow = useNarrowWindow(1279)
  const hasRun = useShownRun(workflow).shown !== undefined
  return (
    <Split
      id="block"
      isVertical={isNarrow}
      // Half of a low window for a hint would leave no room for the form.
      isSecondEmpty={isNarrow && !hasRun}
      label="Resize the form and the result"
      panes={[
        { id: "block-form", size: "55%", minSize: "20%", content: form },
        { id: "block-result", minSize: "15%", content: result },
      ]}
    />
  )
}

interface FormPaneProps {
  readonly row: OutlineRow | undefined
  readonly onFocus: FocusKeeper["onFocus"]
  readonly children: ReactNode
}

function FormPane({ row, onFocus, children }: FormPaneProps) {
  return (
    <section
      id={panelId}
      className="wf-panel"
      data-part=""
      tabIndex={-1}
      onFocus={onFocus}
      onBlur={() => useNewBlock.setState({ key: undefined })}
      aria-label={row === undefined ? "Settings and inputs" : "Selected block"}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented) return
        event.preventDefault()
        focusOutline()
      }}
    >
      <div className="wf-panel-body">{children}</div>
    </section>
  )
}

/** Tells the commands that run blocks which block is selected. */
function useSelectedForRuns(workflow: string, block: string): void {
  useEffect(() => {
    selectBlock(block === "" ? undefined : { workflow, block })
    return () => selectBlock(undefined)
  }, [workflow, block])
}

/** Selects the block of a problem, and focuses its field. */
function showInForm(workflow: string, { text, value }: OpenFile, problem: Problem): void {
  const [{ pointer } = { pointer: [] }] = locateProblems(text, [problem])
  const length = blockLength(pointer)
  if (length === 0) selectRow(workflow, undefined)
  else selectBlocks(workflow, [pointer.slice(0, length)], value)
  requestAnimationFrame(() => focusField(document.querySelector(`#${panelId}`), pointer.slice(length)))
}

/** Milliseconds. Browsers limit how often an address may change. */
const addressPause = 300

/** Selects the block that the address names, and names the selected block in the address. */
function useBlockInAddress(workflow: string, value: JsonValue, id: string): void {
  const latest = useRef(value)
  latest.current = value
  useEffect(() => {
    const select = (): void => {
      const named = blockOf(window.location.hash)
      // The address may name a block as a report does, with its placeholders expanded.
      const id = named === undefined ? undefined : writtenId(named, blockIds(latest.current))
      const found = [...rawBlocks(latest.current)].find(({ block }) => block["id"] === id)
      if (id !== undefined && found !== undefined) selectBlocks(workflow, [found.pointer()], latest.current)
    }
    if (!isSelectionNewerThanAddress()) select()
    window.addEventListener("hashchange", select)
    return () => window.removeEventListener("hashchange", select)
  }, [workflow])
  useEffect(() => {
    const timer = setTimeout(() => {
      const route = routeOf(window.location.hash)
      if (route.kind !== "workflow" || route.workflow !== workflow) return
      writeAddress(id === "" ? hashOf(route) : hashOfBlock(workflow, id))
    }, addressPause)
    return () => clearTimeout(timer)
  }, [workflow, id])
}

/** Deferred, because thousands of problems take a while. */
function useLocatedProblems(workflow: string, open: OpenFile): ProblemsByBlock {
  const { text, problems } = useBehindPaint(open)
  const located = useMemo(() => problemsByBlock(text, problems), [text, problems])
  const newKey = useNewBlock((added) =>
    added.workflow === workflow && (added.text === undefined || added.text === open.text)
      ? added.key
      : undefined,
  )
  const pointer = usePointerOfOpen({ kind: "workflow", workflow })
  return useMemo(() => {
    if (newKey === undefined && pointer === undefined) return located
    const shown = new Map(located)
    if (newKey !== undefined) shown.delete(newKey)
    const length = blockLength(pointer ?? [])
    const key = keyOf((pointer ?? []).slice(0, length))
    const own = withoutOpen(located.get(key) ?? [], pointer?.slice(length))
    if (own.length === 0) shown.delete(key)
    else if (key !== newKey) shown.set(key, own)
    return shown
  }, [located, newKey, pointer])
}

/** Milliseconds. */
const PREPARE_AFTER = 500

/** Prepares the text for its first edit, which would otherwise take longer than the next ones in a large file. */
function usePreparedText({ text }: OpenFile): string {
  useEffect(() => {
    const timer = setTimeout(() => parseEdited(text), PREPARE_AFTER)
    return () => clearTimeout(timer)
  }, [text])
  return text
}

interface SettingsRowProps {
  readonly file: WorkflowFile
  readonly value: JsonValue
  readonly isShown: boolean
  readonly problems: ProblemsByBlock
}

function SettingsRow({ file, value, isShown, problems }: SettingsRowProps) {
  const workflow = isJsonObject(value) ? value : {}
  const blocks = useMemo(() => [...rawBlocks(value)].length, [value])
  const inputs = isJsonObject(workflow["inputs"]) ? Object.keys(workflow["inputs"]).length : 0
  return (
    <button
      type="button"
      className="wf-settings-row"
      aria-pressed={isShown}
      onClick={() => selectRow(file.workflow, undefined)}
    >
      <span className="wf-settings-name">Settings and inputs</span>
      <span className="wf-summary">
        {count(blocks, "block")}
        {inputs === 0 ? "" : ` · ${count(inputs, "input")}`}
        {workflow["onFailure"] === "continue" ? " · continues after a failure" : ""}
        {workflow["validateContracts"] === true ? " · contracts" : ""}
      </span>
      {problems.has("") ? (
        <span className="severity severity-error">
          <span aria-hidden="true" className="severity-mark">
            ✕
          </span>
          <span className="only-read">error</span>
        </span>
      ) : null}
    </button>
  )
}

/** Moves the focus to the outline if undo removes the form that has the focus. */
interface FocusKeeper {
  /** Must receive all focus events of the editor. */
  readonly onFocus: (event: { readonly target: Element }) => void
}

/** `shown` changes whenever another form is shown. */
function useFocusKept(shown: string | undefined): FocusKeeper {
  useEffect(() => {
    if (useNewBlock.getState().key !== shown) useNewBlock.setState({ key: undefined })
  }, [shown])
  const last = useRef<Element>(undefined)
  useEffect(() => {
    if (last.current?.isConnected === false && document.activeElement === document.body) focusOutline()
  }, [shown])
  return { onFocus: ({ target }) => void (last.current = target) }
}

/** Expands the parents of the active block once after it becomes active. */
function useSelectionShown(workflow: string, rows: readonly OutlineRow[]): void {
  const { active } = useEditor(workflow)
  useEffect(() => {
    if (active === undefined || rows.some(({ key }) => key === active)) return
    const around = rows.findLast(({ key, isOpen }) => isOpen === false && active.startsWith(`${key}/`))
    if (around === undefined) return
    const closed = new Set(editorNow(workflow).closed)
    closed.delete(rowName(around))
    changeEditor(workflow, { closed })
  }, [workflow, active, rows])
}
