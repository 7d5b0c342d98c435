// The tabs of a workflow's page. Arrow keys select them.

import { useRef, type KeyboardEvent } from "react"
import { showPart, type EditorPart } from "./editor-state.ts"

const parts: readonly (readonly [EditorPart, string])[] = [
  ["editor", "Editor"],
  ["map", "Map"],
  ["json", "JSON"],
  ["scripts", "Scripts"],
  ["runs", "Runs"],
]

export function WorkflowTabs({ workflow, part }: { readonly workflow: string; readonly part: EditorPart }) {
  const list = useRef<HTMLDivElement>(null)
  const index = parts.findIndex(([known]) => known === part)
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0
    if (step === 0 || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    const next = (index + step + parts.length) % parts.length
    showPart(workflow, parts[next]?.[0] ?? "editor")
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[next]?.focus()
  }
  return (
    <div
      ref={list}
      role="tablist"
      aria-label="Parts of the workflow"
      className="tab-list wf-tabs"
      onKeyDown={onKeyDown}
    >
      {parts.map(([known, words]) => (
        <button
          key={known}
          type="button"
          role="tab"
          id={`workflow-tab-${known}`}
          aria-selected={known === part}
          aria-controls="workflow-part"
          tabIndex={known === part ? 0 : -1}
          className="tab"
          onClick={() => showPart(workflow, known)}
        >
          {words}
        </button>
      ))}
    </div>
  )
}
