// Commands of the palette that run workflows and blocks.

import { suiteOf, suiteSubject, type ProjectView } from "@callsheet/server/calls"
import { openFileNow } from "../../files/open-files.ts"
import { routeOf } from "../../routes/route.ts"
import { commandEntry, type Entry } from "../../search/entries.ts"
import { blockIds } from "@callsheet/language"
import { routeOfSubject } from "./batch.ts"
import { runOnly, runTo, runWorkflow } from "../state/starts.ts"
import { selectedBlock } from "../state/use-run-keys.ts"

/** Returns a command for each workflow and for each block of the current one. The selected block comes first. */
export function runCommands({ workflows, suites = [] }: ProjectView): readonly Entry[] {
  const shown = routeOf(window.location.hash)
  const blocks = shown.kind === "workflow" ? blockCommands(shown.workflow) : []
  const subjects = [...workflows.map(({ name }) => name), ...suites.map(suiteSubject)]
  return [...blocks, ...subjects.map(runCommand)]
}

const runCommand = (subject: string): Entry =>
  commandEntry({
    id: `run ${subject}`,
    name: `Run ${suiteOf(subject) === undefined ? subject : `suite ${suiteOf(subject)}`}`,
    route: routeOfSubject(subject),
    action: () => void runWorkflow(subject),
  })

function blockCommands(workflow: string): readonly Entry[] {
  const ids = blockIds(openFileNow({ kind: "workflow", workflow }).value)
  const selected = selectedBlock(workflow)
  const ordered = selected === undefined ? ids : [selected, ...ids.filter((id) => id !== selected)]
  const route = { kind: "workflow", workflow } as const
  return ordered.flatMap((block) => [
    commandEntry({
      id: `run to ${workflow} ${block}`,
      name: `Run to ${block}`,
      detail: workflow,
      route,
      action: () => void runTo(workflow, block),
    }),
    commandEntry({
      id: `run only ${workflow} ${block}`,
      name: `Run only ${block}`,
      detail: workflow,
      route,
      action: () => void runOnly(workflow, block),
    }),
  ])
}
