// The code editor. Its code is loaded on first use.

import type { CompletionSource } from "@codemirror/autocomplete"
import type { Problem } from "@callsheet/format"
import { useEffect, useImperativeHandle, useRef, useState, type Ref } from "react"
import { flushSync } from "react-dom"
import { visibleLines } from "../ui/visible-text.ts"
import type { Mark } from "./code-mirror/diagnostics.ts"
import type { EditorLanguage } from "./code-mirror/extensions.ts"
import type { FindMeaning } from "./code-mirror/meanings.ts"
import type { LineActions } from "./code-mirror/line-actions.ts"
import type { PlaceholderActions } from "./code-mirror/placeholders.ts"
import type { CursorPlace, MountedEditor } from "./code-mirror/mount-editor.ts"

interface CodeEditorProps {
  readonly language: EditorLanguage
  readonly text: string
  readonly problems?: readonly Mark[]
  /** Called after an edit. Absent if the text is read-only. Edits in a row with the same `merge` share an undo step. */
  readonly onChange?: ((text: string, merge: string | undefined) => void) | undefined
  readonly completions?: CompletionSource | undefined
  /** Explains names. It must not change. */
  readonly findMeaning?: FindMeaning | undefined
  /** Called when the user moves the cursor. Line and column are 1-based. */
  readonly onCursor?: ((place: CursorPlace) => void) | undefined
  readonly startsAt?: (() => CursorPlace | undefined) | undefined
  /** Actions on lines. They must not change. */
  readonly lines?: LineActions | undefined
  /** Actions on placeholders. They must not change. */
  readonly placeholders?: PlaceholderActions | undefined
  /** True if long lines wrap. It takes too long for text of several megabytes. */
  readonly wraps?: boolean | undefined
  /** The ticked lines, if lines can be ticked. */
  readonly ticks?: ReadonlySet<number> | undefined
  readonly label: string
  readonly ref?: Ref<CodeEditorHandle>
}

export interface CodeEditorHandle {
  readonly focus: () => void
  /** Selects the position of a problem, and focuses the editor. */
  readonly goTo: (problem: Pick<Problem, "line" | "column">) => void
  /** Opens the search panel. */
  readonly find: () => void
  /** Returns the line of the cursor, to show something next to it. */
  readonly cursorLine: () => Element | null
}

/** The editor fills its container. */
export function CodeEditor(props: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null)
  const { isLoading, hasFailed, editor, wanted, again } = useEditor(host, props)
  useImperativeHandle(props.ref, () => handleOf(editor, wanted), [editor, wanted])
  return (
    <div className="code-editor">
      <div ref={host} className="code-editor-host" />
      {isLoading ? <Unloaded text={props.text} label={props.label} /> : null}
      {hasFailed ? (
        <p role="alert" className="code-editor-failed">
          The editor could not be loaded because callsheet app is not responding.{" "}
          <button type="button" className="button" onClick={again}>
            Try again
          </button>
        </p>
      ) : null}
    </div>
  )
}

/** Shows the first lines while the editor loads, so that the layout doesn't jump. */
function Unloaded({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <pre className="code-editor-unloaded" aria-label={`${label}, loading`} role="group">
      {visibleLines(text.slice(0, 4000))}
    </pre>
  )
}

type Place = Pick<Problem, "line" | "column">

const handleOf = (
  editor: { readonly current: MountedEditor | undefined },
  wanted: { current: Place | undefined },
): CodeEditorHandle => ({
  focus: () => editor.current?.focus(),
  goTo: (place) => {
    // The editor isn't loaded yet, so remember the position.
    if (editor.current === undefined) wanted.current = place
    else editor.current.goTo(place)
  },
  find: () => editor.current?.find(),
  cursorLine: () => editor.current?.cursorLine() ?? null,
})

function useEditor(host: { readonly current: HTMLDivElement | null }, props: CodeEditorProps) {
  const { text, problems = none, ticks = noTicks, wraps = false, onChange } = props
  const { language, label, completions, findMeaning, lines, placeholders } = props
  const isReadOnly = onChange === undefined
  const latest = useRef(props)
  latest.current = props
  const editor = useRef<MountedEditor>(undefined)
  const wanted = useRef<Place>(undefined)
  const [state, setState] = useState<"loading" | "shown" | "failed">("loading")
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    let isGone = false
    const mount = ({ mountEditor }: typeof import("./code-mirror/mount-editor.ts")): void => {
      if (isGone || host.current === null) return
      editor.current = mountEditor(host.current, {
        language,
        label,
        completions,
        findMeaning,
        isReadOnly,
        lines,
        placeholders,
        wraps: latest.current.wraps,
        text: latest.current.text,
        startsAt: latest.current.startsAt?.(),
        onChange: (next, merge) => latest.current.onChange?.(next, merge),
        onCursor: (place) => latest.current.onCursor?.(place),
      })
      editor.current.mark(latest.current.problems ?? none)
      editor.current.tick(latest.current.ticks ?? noTicks)
      // Render now. Otherwise, screen readers would read the text twice.
      flushSync(() => setState("shown"))
      if (wanted.current !== undefined) editor.current.goTo(wanted.current)
      wanted.current = undefined
    }
    import("./code-mirror/mount-editor.ts").then(mount).catch(() => {
      if (!isGone) setState("failed")
    })
    return () => {
      isGone = true
      editor.current?.close()
      editor.current = undefined
    }
  }, [host, language, label, completions, findMeaning, isReadOnly, lines, placeholders, attempt])
  useEffect(() => editor.current?.show(text), [text])
  useEffect(() => editor.current?.mark(problems), [problems])
  useEffect(() => editor.current?.tick(ticks), [ticks])
  useEffect(() => editor.current?.wrap(wraps), [wraps])
  return {
    editor,
    wanted,
    isLoading: state === "loading",
    hasFailed: state === "failed",
    again: () => {
      setState("loading")
      setAttempt(attempt + 1)
    },
  }
}

const none: readonly Mark[] = []
const noTicks: ReadonlySet<number> = new Set()
