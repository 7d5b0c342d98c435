// A received or sent body: formatted text with search and folding, an image, or bytes in hexadecimal.

import { Download, Ellipsis, Route, Search, SquareCheck } from "lucide-react"
import { useMemo, useRef, useState } from "react"
import {
  createJsonLocator,
  createLineFinder,
  formatPath,
  getOrCreate,
  jsonPointersAt,
  pointerKeys,
  stringifyJson,
  type ContractProblem,
  type JsonValue,
} from "@callsheet/format"
import { CodeEditor, type CodeEditorHandle } from "../../files/code-editor.tsx"
import type { Mark } from "../../files/code-mirror/diagnostics.ts"
import type { CursorPlace } from "../../files/code-mirror/mount-editor.ts"
import type { LineActions } from "../../files/code-mirror/line-actions.ts"
import { useCopyTool } from "../../ui/copy-button.tsx"
import { Menu } from "../../ui/menu.tsx"
import { Toolbar, type Tool } from "../../ui/toolbar.tsx"
import { visibleText } from "../../ui/visible-text.ts"
import { valueAtSteps, pathOf, type SeenValue } from "../../kinds/values/value-edits.ts"
import { valueItems } from "../../kinds/values/value-items.ts"
import { useValueSource } from "../../kinds/values/value-button.tsx"
import { bodyContent, type Body, type BodyContent } from "./body-content.ts"
import { useLineWrapping } from "./line-wrapping.tsx"
import type { Steps, Ticks } from "../ticks/use-ticks.ts"

const lineHeight = 20.15
const MAX_LINES = 60
const USUAL_COLUMNS = 64
/** Around a marked value, so that what follows the body stays near. */
const FEW_LINES = 14
/** The height of the padding and of a horizontal scroll bar. */
const spare = 32

interface Props extends Body {
  readonly what: string
  readonly problems?: readonly ContractProblem[]
  /** Shows the text as received. */
  readonly isRaw?: boolean
  /** The steps to the value that a failed assertion read. It is marked, and in sight. */
  readonly read?: readonly string[] | undefined
  /** The ticks of the body's values. Absent if they can't be ticked. */
  readonly ticks?: Ticks | undefined
}

export function BodyViewer({ what, problems = [], isRaw = false, read, ticks, ...of }: Props) {
  const { body, headers, mayBeBytes, sizeBytes } = of
  const content = useMemo(() => bodyContent(of), [body, headers, mayBeBytes, sizeBytes])
  if (content.kind === "image") return <Image what={what} content={content} />
  if (content.kind === "json" && !isRaw)
    return <JsonViewer {...{ what, body, content, problems, read, ticks }} />
  return <TextViewer {...{ what, content, isRaw }} />
}

interface ViewerProps {
  readonly what: string
  readonly content: BodyContent
}

function Image({ what, content }: ViewerProps) {
  return (
    <div className="body-viewer" role="group" aria-label={what}>
      <div className="body-tools">
        <Toolbar of={what} tools={[saveTool({ what, content })]} />
      </div>
      <img className="body-image" src={content.text} alt={what} />
    </div>
  )
}

function TextViewer({ what, content, isRaw }: ViewerProps & { readonly isRaw: boolean }) {
  const text = useMemo(() => (isRaw ? content.raw?.() : undefined) ?? content.text, [content, isRaw])
  const language = content.kind === "hex" || content.kind === "image" ? "text" : content.kind
  const editor = useRef<CodeEditorHandle>(null)
  const copy = useCopyTool(`Copy ${what}`, text)
  const { wraps, tool: wrap } = useLineWrapping(text)
  return (
    <div className="body-viewer" role="group" aria-label={what}>
      <div className="body-tools">
        <Toolbar of={what} tools={[copy, findTool(editor), ...wrap, saveTool({ what, content })]} />
      </div>
      <CutNote content={content} />
      <div className="body-text" style={{ height: heightOf(text, wraps) }}>
        <CodeEditor
          ref={editor}
          language={language}
          text={text}
          wraps={wraps}
          label={`Text of the ${what}`}
        />
      </div>
    </div>
  )
}

interface JsonProps extends ViewerProps {
  readonly body: JsonValue
  readonly problems: readonly ContractProblem[]
  readonly read: Props["read"]
  readonly ticks: Ticks | undefined
}

interface Place extends LineValue {
  /** The value as a part of a block's result. Undefined if no block in the file has it. */
  readonly seen: SeenValue | undefined
}

/** The line of the cursor, the value that starts on a line, and what keys and clicks do there. */
function useLines({ body, content, ticks }: JsonProps, first = 1) {
  const source = useValueSource()
  const valueOn = useMemo(() => createLineValues(content.text, body), [content, body])
  // The end of a run replaces the body by an equal one. The editor with its open search must stay.
  const latest = useRef({ valueOn, ticks })
  latest.current = { valueOn, ticks }
  const [line, setLine] = useState(first)
  const [isOpen, setOpen] = useState(false)
  const [canTick, hasMenu] = [ticks !== undefined, source !== undefined]
  const actions = useMemo((): LineActions | undefined => {
    const onMenu = (at: number): void => {
      setLine(at)
      setOpen(true)
    }
    const onTick = (at: number): boolean => {
      const value = latest.current.valueOn(at)
      if (value !== undefined) latest.current.ticks?.toggle(value.steps)
      return value !== undefined
    }
    return canTick ? { onTick, onMenu: hasMenu ? onMenu : undefined } : undefined
  }, [canTick, hasMenu])
  const placeOf = (at: number): Place | undefined => {
    const found = valueOn(at)
    if (found === undefined || source === undefined) return found && { ...found, seen: undefined }
    const seen = { block: source.block, steps: [...source.steps, ...found.steps], value: found.value }
    return { ...found, seen }
  }
  return { workflow: source?.workflow, line, setLine, isOpen, setOpen, actions, here: placeOf(line) }
}

/** Returns the lines of ticked values. */
function useTickedLines({ body, content: { text }, ticks }: JsonProps): ReadonlySet<number> {
  const list = ticks?.list ?? none
  const key = JSON.stringify(list)
  return useMemo(() => {
    const found = list.filter((steps) => valueAtSteps(body, steps) !== undefined)
    if (found.length === 0) return noLines
    const [locate, placeOf] = [createJsonLocator(text), createLineFinder(text)]
    return new Set(found.map((steps) => placeOf(locate(inText(steps), "value")).line))
  }, [text, body, key])
}

const none: readonly Steps[] = []
const noLines: ReadonlySet<number> = new Set()

function JsonViewer(props: JsonProps) {
  const { what, content, problems, read } = props
  const { text } = content
  const editor = useRef<CodeEditorHandle>(null)
  const { wraps, tool: wrap } = useLineWrapping(text)
  const { marks, first, height } = useMarks({ text, problems, read, wraps })
  const lines = useLines(props, read === undefined ? 1 : first?.line)
  const ticked = useTickedLines(props)
  const { workflow, here, setOpen } = lines
  const seen = here?.seen
  const valueTools = useValueTools(props, { here, hasMenu: workflow !== undefined, setOpen })
  const tools = [...valueTools, findTool(editor), ...wrap, saveTool({ what, content })]
  return (
    <div className="body-viewer" role="group" aria-label={what}>
      <div className="body-tools">
        <code className="body-path">{here === undefined ? "" : shownPath(here, what)}</code>
        <Toolbar of={what} tools={tools} />
      </div>
      <CutNote content={content} />
      <div className="body-text" style={{ height }}>
        <CodeEditor
          ref={editor}
          language="json"
          text={text}
          startsAt={() => first}
          problems={marks}
          label={`Text of the ${what}`}
          onCursor={(place) => lines.setLine(place.line)}
          lines={lines.actions}
          ticks={ticked}
          wraps={wraps}
        />
      </div>
      {lines.isOpen && seen !== undefined && workflow !== undefined ? (
        <ValueMenu {...{ workflow, seen, editor }} onClose={() => setOpen(false)} />
      ) : null}
    </div>
  )
}

interface ValueTools {
  readonly here: Place | undefined
  readonly hasMenu: boolean
  readonly setOpen: (isOpen: boolean) => void
}

const noValue = "No value starts on this line"

/** What can be done with the value on the cursor's line. The tools stay if there is none, so that none moves. */
function useValueTools({ ticks }: JsonProps, { here, hasMenu, setOpen }: ValueTools): readonly Tool[] {
  const not = here === undefined && noValue
  const copyValue = useCopyTool("Copy value", () => (here === undefined ? "" : copied(here.value)))
  const copyPath = useCopyTool(
    "Copy path",
    () => (here === undefined ? "" : here.seen === undefined ? formatPath(here.steps) : pathOf(here.seen)),
    <Route aria-hidden="true" />,
  )
  const use: Tool = {
    label: "Use the value…",
    title: "Use the value in an assertion, an output or a field…",
    icon: <Ellipsis aria-hidden="true" />,
    hasMenu: true,
    does: () => setOpen(true),
    not: here?.seen === undefined && noValue,
  }
  const tick: Tool = {
    label: "Tick",
    title: "Tick the value, to assert it (Space)",
    icon: <SquareCheck aria-hidden="true" />,
    isPressed: here !== undefined && ticks?.has(here.steps) === true,
    does: () => {
      if (here !== undefined) ticks?.toggle(here.steps)
    },
    not,
  }
  return [
    { ...copyValue, not },
    { ...copyPath, not },
    ...(hasMenu ? [use] : []),
    ...(ticks === undefined ? [] : [tick]),
  ]
}

/** The path of a value. The whole body has the last word of its name. */
const shownPath = ({ steps }: Place, what: string): string =>
  visibleText((steps.length === 0 ? (what.split(" ").at(-1) ?? what) : formatPath(steps)).slice(0, 300))

interface MarksOf {
  readonly text: string
  readonly problems: readonly ContractProblem[]
  readonly read: Props["read"]
  readonly wraps: boolean
}

/** The marks of a body, the first one to have in sight, and the height of the editor. */
function useMarks({ text, problems, read, wraps }: MarksOf) {
  return useMemo(() => {
    const readMark = readMarkOf(read, text)
    const marks = [...readMark, ...marksOf(problems, text)]
    const [{ line, column = 1 } = {}] = marks
    const first: CursorPlace | undefined = line === undefined ? undefined : { line, column }
    return { marks, first, height: heightOf(text, wraps, readMark.length > 0 ? FEW_LINES : MAX_LINES) }
  }, [text, problems, read, wraps])
}

interface MenuProps {
  readonly workflow: string
  readonly seen: SeenValue
  readonly editor: { readonly current: CodeEditorHandle | null }
  readonly onClose: () => void
}

const ValueMenu = ({ workflow, seen, editor, onClose }: MenuProps) => (
  <Menu
    label="Use the value"
    items={valueItems(workflow, seen)}
    anchor={() => editor.current?.cursorLine() ?? null}
    onClose={(goesBack) => {
      onClose()
      if (goesBack) editor.current?.focus()
    }}
  />
)

interface LineValue {
  readonly steps: readonly string[]
  readonly value: JsonValue
}

/** Returns a function that finds the value that starts on a line. Undefined for a closing bracket. */
function createLineValues(text: string, body: JsonValue): (line: number) => LineValue | undefined {
  const known = new Map<number, LineValue | undefined>()
  let starts: readonly number[] | undefined
  return (line) =>
    getOrCreate(known, line, () => {
      const start = (line === 1 ? [0] : (starts ??= lineStarts(text)))[line - 1]
      if (start === undefined) return undefined
      const offset = start + (/^ */.exec(text.slice(start, start + 10_000))?.[0].length ?? 0)
      if (/[}\]]/.test(text[offset] ?? "")) return undefined
      const steps = (jsonPointersAt(text, [offset])[0] ?? []).map(String)
      const value = valueAtSteps(body, steps)
      return value === undefined ? undefined : { steps, value }
    })
}

function lineStarts(text: string): readonly number[] {
  const starts = [0]
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1)
  return starts
}

const copied = (value: JsonValue): string =>
  typeof value === "string" ? value : stringifyJson(value, { indent: 2 })

/** Marks violations of the body. For a missing value, marks its nearest existing parent. */
function marksOf(problems: readonly ContractProblem[], text: string): readonly Mark[] {
  const inBody = problems.filter(({ path }) => path === "/body" || path.startsWith("/body/"))
  if (inBody.length === 0) return []
  const [locate, placeOf] = [createJsonLocator(text), createLineFinder(text)]
  return inBody.map(({ path, message, known }) => {
    return {
      severity: known === true ? "warning" : "error",
      message,
      ...placeOf(locate(inText(pointerKeys(path.slice("/body".length))), "value")),
    }
  })
}

const inText = (pointer: readonly string[]) =>
  pointer.map((step) => (/^\d+$/.test(step) ? Number(step) : step))

/** Marks the value that a failed assertion read, or the place where it is missing. */
function readMarkOf(read: Props["read"], text: string): readonly Mark[] {
  if (read === undefined) return []
  const place = createLineFinder(text)(createJsonLocator(text)(inText(read), "value"))
  return [{ severity: "error", message: "A failed assertion read this.", ...place }]
}

/** Returns the height in pixels. The width is unknown, so a wrapped line counts as those of an editor of usual width. */
function heightOf(text: string, wraps: boolean, most = MAX_LINES): number {
  let lines = 0
  for (let at = 0; at !== -1 && lines < most;) {
    const end = text.indexOf("\n", at)
    const length = (end === -1 ? text.length : end) - at
    lines += wraps ? Math.max(1, Math.ceil(length / USUAL_COLUMNS)) : 1
    at = end === -1 ? -1 : end + 1
  }
  return Math.ceil(Math.min(most, Math.max(6, lines)) * lineHeight) + spare
}

const CutNote = ({ content }: Pick<ViewerProps, "content">) =>
  content.isCut ? (
    <p className="faint">The body is large, so only its start is shown. Save it to see all of it.</p>
  ) : null

const findTool = (editor: { readonly current: CodeEditorHandle | null }): Tool => ({
  label: "Find",
  title: "Find (Ctrl F)",
  icon: <Search aria-hidden="true" />,
  does: () => editor.current?.find(),
})

/** Saves the body as a file. Markup is saved as text, so that opening the file runs nothing. */
function saveTool({ what, content }: ViewerProps): Tool {
  const { extension, content: read } = content.save
  return {
    label: "Save…",
    title: "Save as a file…",
    icon: <Download aria-hidden="true" />,
    does: () => {
      const link = document.createElement("a")
      link.href = URL.createObjectURL(new Blob([read()], { type: "application/octet-stream" }))
      link.download = `${what.replaceAll(" ", "-")}.${extension}`
      link.click()
      URL.revokeObjectURL(link.href)
    },
  }
}
