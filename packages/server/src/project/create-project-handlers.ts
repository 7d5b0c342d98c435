// Answers calls about the project. Results are kept until a file changes; then pages are notified.

import type { Project } from "@callsheet/format"
import { watchProject, type WatchOptions } from "@callsheet/project"
import type { AppEvent } from "../calls/index.ts"
import { createEventSource } from "../events.ts"
import type { HandlersOf } from "../handlers.ts"
import { createSecretsMasker } from "../secrets/secrets-masker.ts"
import { createKept, createMoments } from "./moments.ts"
import { projectView } from "./project-view.ts"
import { readOverview, type KnownProject } from "./read-parts.ts"

export interface ProjectHandlersOptions {
  readonly root: string
  readonly scriptEntry: URL
  /** May contain values of secret variables, which are masked in all answers. */
  readonly processEnvironment: Readonly<Record<string, string | undefined>>
  readonly watch?: WatchOptions
}

type ProjectChanged = Extract<AppEvent, { type: "project.changed" }>

export type ProjectHandlers = ReturnType<typeof createProjectHandlers>

/** Reads files and loads modules on the first call that needs them, so that the page opens immediately. */
export function createProjectHandlers(options: ProjectHandlersOptions) {
  const { root, scriptEntry, processEnvironment } = options
  const source = createEventSource<ProjectChanged>()
  const tell = (): void => source.tell({ type: "project.changed", revision: moments.advance() })
  const watch = watchProject(root, tell, options.watch)
  const moments = createMoments(watch.isPending)
  let latest: Project | undefined
  const keptOverview = createKept(async () => {
    const { revision, value: project } = await moments.read(() => readOverview(root, latest))
    latest = project
    const masker = createSecretsMasker(project, processEnvironment)
    return { revision, value: { project, masker, view: projectView(project, revision, masker) } }
  })
  const overview = () => keptOverview(moments.revision(), "")
  const problems = createKept(async () =>
    (await import("./find-problems.ts")).findProblems({ root, scriptEntry, moments, watch, overview }),
  )
  const documents = () => import("./read-documents.ts")
  const operations = createKept(async (api) =>
    (await documents()).readOperationsView({ root, api, moments, overview }),
  )
  const keptSources = createKept(async (api) => (await documents()).readApiSource(root, api, moments))
  const known: KnownProject = { overview, sources: (api) => keptSources(moments.revision(), api) }
  const handlers: HandlersOf<"project" | "problems" | "operations" | "scripts"> = {
    "project.read": async () => (await overview()).view,
    "problems.read": () => problems(moments.revision(), ""),
    "operations.list": ({ api }) => operations(moments.revision(), api),
    "operations.read": async (input) => (await documents()).readOperation(input, known),
    "scripts.types": async ({ workflow }) =>
      (await import("./read-script-types.ts")).readScriptTypes(workflow, known),
  }
  return {
    handlers,
    events: { subscribe: source.subscribe },
    ...known,
    /** The app itself changed files: later calls read them again, and pages are notified immediately. */
    noteChange: tell,
    close: (): void => {
      source.close()
      moments.close()
      watch.close()
    },
  }
}
