// A workflow: its blocks, text, scripts and runs.

import { useEffect, useRef, type ReactNode } from "react"
import { isJsonObject, isWorkflowName, createOffsetFinder, valueAt } from "@callsheet/format"
import type { WorkflowView } from "@callsheet/server/calls"
import { blockOf, hashOf, routeOf } from "../routes/route.ts"
import type { OpenFile } from "../files/file-state.ts"
import { useOpenFile, openFileNow } from "../files/open-files.ts"
import { RunBar } from "../runs/bar/run-bar.tsx"
import { useWatchedRun } from "../runs/state/shown-run.ts"
import { useIsRunRead } from "../runs/state/use-run-queries.ts"
import { useRunKeys } from "../runs/state/use-run-keys.ts"
import { LongText, ShownText } from "../ui/shown-text.tsx"
import { ScriptsPart } from "../scripts/scripts-part.tsx"
import { TabList } from "../ui/tabs.tsx"
import { later } from "../ui/later.tsx"
import { FileEditor } from "../forms/file-editor.tsx"
import { showProblem } from "../files/shown-problem.ts"
import { visibleText } from "../ui/visible-text.ts"
import { ProblemList } from "../files/problem-list.tsx"
import { SaveBar } from "../files/save-bar.tsx"
import { MenuButton } from "../ui/menu.tsx"
import { BenchHead } from "../ui/bench-head.tsx"
import { EditorPart } from "./editor-part.tsx"
import { isSelectionNewerThanAddress, useEditor, writeAddress } from "../blocks/editor-state.ts"
import { showPart, useWorkflowPart, type WorkflowPart, workflowParts } from "../routes/workflow-part.ts"
import { RunHeadline } from "./run-headline.tsx"
import { RunsPart } from "./runs-part.tsx"
import type { WorkflowFile } from "../blocks/block-place.ts"
import { selectBlockAt, selectedPlace } from "../blocks/show-in-text.ts"
import { workflowItems } from "./workflow-commands.ts"

const [MapPart] = later(async () => (await import("./map/map-part.tsx")).MapPart)

export function WorkflowPage({ workflow }: { readonly workflow: WorkflowView }) {
  const { name } = workflow
  return isWorkflowName(name) ? (
    <EditableWorkflow key={name} workflow={workflow} />
  ) : (
    <div className="view">
      <h1>
        <LongText text={name} />
      </h1>
      <RunsPart workflow={workflow} />
    </div>
  )
}

function EditableWorkflow({ workflow }: { readonly workflow: WorkflowView }) {
  const { name } = workflow
  const file = { kind: "workflow", workflow: name } as const
  const open = useOpenFile(file)
  const part = useWorkflowPart(name)
  useRunKeys(name)
  useWatchedRun(name)
  useEditorForAddress(name)
  const { state, value } = open
  const isReadable = value !== undefined && isJsonObject(value)
  const isMending = useTextTabKept(name, { open, isShown: part === "editor", isReadable })
  // The fields of a run are above the runs, and must not move them.
  const isAbove = !useIsRunRead(name) && part === "runs" && workflow.blocks !== undefined
  return (
    <div className="wf">
      <WorkflowHead name={name}>
        <RunHeadline workflow={name} part={part} open={open} />
      </WorkflowHead>
      <div className="wf-bar">
        <WorkflowTabs workflow={name} part={part} />
        {workflow.blocks === undefined ? null : <RunBar workflow={name} showsFields={part === "runs"} />}
      </div>
      {isAbove ? null : (
        <div
          role="tabpanel"
          id={partId}
          aria-labelledby={workflowTabId(part)}
          className={part === "runs" || part === "scripts" ? "wf-part wf-part-scrolls" : "wf-part"}
        >
          {part === "runs" ? (
            <RunsPart workflow={workflow} />
          ) : part === "scripts" ? (
            <ScriptsPart workflow={name} />
          ) : state === "loading" ? null : part === "editor" && isReadable && !isMending ? (
            <EditorPart file={file} open={open} value={value} />
          ) : part === "map" && isReadable ? (
            <MapPart file={file} open={open} value={value} />
          ) : (
            <TextPart file={file} open={open} isBroken={part !== "json" && !isReadable} />
          )}
        </div>
      )}
    </div>
  )
}

const partId = "workflow-part"

/** Shows the editor if the address names a block that isn't selected yet. */
function useEditorForAddress(workflow: string): void {
  useEffect(() => {
    const show = (): void => {
      const { hash } = window.location
      const route = routeOf(hash)
      const isOfIt = route.kind === "workflow" && route.workflow === workflow
      if (isOfIt && blockOf(hash) !== undefined && !isSelectionNewerThanAddress())
        showPart(workflow, "editor")
    }
    show()
    window.addEventListener("hashchange", show)
    return () => window.removeEventListener("hashchange", show)
  }, [workflow])
}

interface TextTabState {
  readonly open: OpenFile
  readonly isShown: boolean
  readonly isReadable: boolean
}

/** Keeps the text tab open when invalid text becomes valid, so that it doesn't close while the user types. */
function useTextTabKept(workflow: string, { open, isShown, isReadable }: TextTabState): boolean {
  const wasBroken = useRef(false)
  const part = document.querySelector(`#${partId}`)
  const isTyped = open.isDirty && part?.contains(document.activeElement) === true
  const isMending = isShown && isReadable && wasBroken.current && isTyped
  useEffect(() => {
    wasBroken.current = isShown && open.state === "ready" && !isReadable
    if (isMending) showPart(workflow, "json")
  }, [workflow, open.state, isShown, isReadable, isMending])
  return isMending
}

const names = ["Editor", "Map", "JSON", "Scripts", "Runs"]

const workflowTabId = (part: WorkflowPart): string => `workflow-tab-${workflowParts.indexOf(part)}`

const WorkflowTabs = ({ workflow, part }: { readonly workflow: string; readonly part: WorkflowPart }) => (
  <TabList
    label="Parts of the workflow"
    className="wf-tabs"
    id="workflow-tab"
    panelId="workflow-part"
    names={names}
    index={workflowParts.indexOf(part)}
    onSelect={(index) => {
      const chosen = workflowParts[index] ?? "editor"
      // A reload shows the part again, so the address must not name a block in the editor.
      if (chosen !== "editor") writeAddress(hashOf({ kind: "workflow", workflow }))
      showPart(workflow, chosen)
    }}
  />
)

interface TextProps {
  readonly file: WorkflowFile
  readonly open: OpenFile
  /** True if the tab of blocks is selected but can't be shown. */
  readonly isBroken: boolean
}

function TextPart({ file, open, isBroken }: TextProps) {
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
function CursorPlace({ file, open }: Pick<TextProps, "file" | "open">) {
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

function WorkflowHead({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <BenchHead parents={["Workflow"]} name={name} status={children}>
      <SaveBar name={{ kind: "workflow", workflow: name }} />
      <MenuButton name={name} items={workflowItems(name)} />
    </BenchHead>
  )
}
