// The command palette, which goes to anything by part of its name.

import { useMemo, useState } from "react"
import type { ProjectView } from "@callsheet/server/calls"
import { environmentCommands } from "../environments/environment-commands.ts"
import { Dialog } from "../parts/dialog.tsx"
import { runCommands } from "../run/run-commands.ts"
import { pageEntries } from "../search/entries.ts"
import { findEntries } from "../search/find-entries.ts"
import { useEntries } from "../search/use-entries.ts"
import { useHitKeys } from "../search/use-hit-keys.ts"
import { hitId, HitList } from "../sidebar/hit-list.tsx"
import { workflowCommands } from "../workflow/workflow-commands.ts"

interface Props {
  readonly project: ProjectView
  readonly onClose: () => void
}

export function Palette({ project, onClose }: Props) {
  const [query, setQuery] = useState("")
  const { entries } = useEntries(project, true)
  const commands = useMemo(
    () => [...workflowCommands(project), ...runCommands(project), ...environmentCommands(project)],
    [project],
  )
  const hits = useMemo(
    () => findEntries([...pageEntries, ...entries, ...commands], query),
    [entries, commands, query],
  )
  const { activeIndex, open, onKeyDown } = useHitKeys(hits, query, onClose)
  return (
    <Dialog label="Go to" className="dialog-palette" onClose={onClose}>
      <input
        type="text"
        role="combobox"
        aria-label="Go to an API, operation, environment, saved request or workflow, or run a command"
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
      <HitList id="palette-hits" hits={hits} activeIndex={activeIndex} onOpen={open} />
      {hits.length === 0 ? (
        <p className="hit-count" role="status">
          Nothing found
        </p>
      ) : null}
    </Dialog>
  )
}
