// The command palette, which goes to anything by part of its name.

import { useQuery } from "@tanstack/react-query"
import { useEffect, useMemo, useState } from "react"
import type { ProjectView } from "@callsheet/server/calls"
import { call } from "../../connection/call.ts"
import { environmentCommands } from "../../environments/environment-commands.ts"
import { importCommands } from "../imports/import-state.ts"
import { closeForMain, Dialog } from "../../ui/dialog.tsx"
import { runCommands } from "../../runs/bar/run-commands.ts"
import { saveCommands } from "../../runs/state/save-before-run.ts"
import { lineEntry, pageEntries, type Entry } from "../../search/entries.ts"
import { findMatches } from "@callsheet/language"
import { useEntries } from "../../search/use-entries.ts"
import { hitId, HitList, useHitKeys } from "./hit-list.tsx"
import { routeOf } from "../../routes/route.ts"
import { workflowCommands } from "../../workflow/workflow-commands.ts"

interface Props {
  readonly project: ProjectView
  readonly onClose: () => void
}

export function Palette({ project, onClose }: Props) {
  const [query, setQuery] = useState("")
  const { entries } = useEntries(project, true)
  const blocks = useBlockCommands(project)
  const commands = useMemo(
    () => [
      ...workflowCommands(),
      ...blocks,
      ...importCommands(),
      ...runCommands(project),
      ...saveCommands(),
      ...environmentCommands(project),
    ],
    [project, blocks],
  )
  const hits = useMemo(
    () => findMatches([...pageEntries, ...entries, ...commands], query),
    [entries, commands, query],
  )
  const lines = useFoundLines(query)
  const all = useMemo(() => [...hits, ...lines], [hits, lines])
  const { activeIndex, open, onKeyDown } = useHitKeys(all, query, () => closeForMain(onClose))
  return (
    <Dialog label="Go to" className="dialog-palette" onClose={onClose}>
      <input
        type="text"
        role="combobox"
        aria-label="Go to anything in the project by its name or text, or run a command"
        aria-expanded="true"
        aria-controls="palette-hits"
        aria-autocomplete="list"
        aria-activedescendant={activeIndex < 0 ? undefined : hitId("palette-hits", activeIndex)}
        placeholder="Go to…"
        autoComplete="off"
        spellCheck={false}
        data-first=""
        value={query}
        onChange={({ target }) => setQuery(target.value)}
        onKeyDown={onKeyDown}
      />
      <HitList id="palette-hits" hits={all} activeIndex={activeIndex} onOpen={open} />
      {all.length === 0 ? (
        <p className="hit-count" role="status">
          Nothing found
        </p>
      ) : null}
    </Dialog>
  )
}

/** Returns the commands for blocks. A page without a workflow doesn't load their code. */
function useBlockCommands(project: ProjectView): readonly Entry[] {
  const [commands, setCommands] = useState<readonly Entry[]>([])
  useEffect(() => {
    if (routeOf(window.location.hash).kind !== "workflow") return
    void import("../../workflow/block-palette.ts").then(({ blockCommands }) =>
      setCommands(blockCommands(project)),
    )
  }, [project])
  return commands
}

/** Milliseconds. Files are searched when the user pauses. */
const pause = 200

/** Returns the lines of files that contain a query. */
function useFoundLines(query: string): readonly Entry[] {
  const [asked, setAsked] = useState("")
  useEffect(() => {
    const timer = setTimeout(() => setAsked(query.trim()), pause)
    return () => clearTimeout(timer)
  }, [query])
  const { data } = useQuery({
    queryKey: ["find", asked],
    queryFn: ({ signal }) => call("files.find", { query: asked }, { signal }),
    enabled: asked.length > 1,
  })
  return useMemo(
    () => (asked.length > 1 && asked === query.trim() ? (data?.lines ?? []).map(lineEntry) : []),
    [data, asked, query],
  )
}
