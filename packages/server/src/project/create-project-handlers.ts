// Answers calls about the project. Keeps results until a file changes, then notifies pages.

import type { Logins } from "@callsheet/engine"
import type { Project } from "@callsheet/format"
import { watchProject, type WatchOptions } from "@callsheet/project"
import type { AppEvent } from "../calls/index.ts"
import { createEventSource } from "../events.ts"
import type { HandlersOf } from "../handlers.ts"
import { createSecretsMasker } from "../secrets/secrets-masker.ts"
import { createRevisionCache, createRevisions } from "./revisions.ts"
import { projectView } from "./project-view.ts"
import { readOverview, type KnownProject } from "./read-parts.ts"

export interface ProjectHandlersOptions {
  readonly root: string
  readonly scriptEntry: URL
  /** The process variables. Answers mask the values of secret variables. */
  readonly processEnvironment: Readonly<Record<string, string | undefined>>
  readonly watch?: WatchOptions
  /** The logins of runs. By default, there are none. */
  readonly logins?: Logins
}

type ProjectChanged = Extract<AppEvent, { type: "project.changed" }>

export type ProjectHandlers = ReturnType<typeof createProjectHandlers>

/** Reads files and loads code on the first call that needs them, so that the page opens at once. */
export function createProjectHandlers(options: ProjectHandlersOptions) {
  const { root, scriptEntry, processEnvironment, logins = new Map() } = options
  const source = createEventSource<ProjectChanged>()
  const emitChange = (): void => source.emit({ type: "project.changed", revision: revisions.advance() })
  const watch = watchProject(root, emitChange, options.watch)
  const revisions = createRevisions(watch.isPending)
  let latest: Project | undefined
  const keptOverview = createRevisionCache(async () => {
    const { revision, value: project } = await revisions.read(() => readOverview(root, latest))
    latest = project
    const masker = createSecretsMasker(project, processEnvironment)
    return { revision, value: { project, masker, view: projectView(project, revision, masker) } }
  })
  const overview = () => keptOverview(revisions.current(), "")
  const problems = createRevisionCache(async () =>
    (await import("./find-problems.ts")).findProblems({ root, scriptEntry, revisions, watch, overview }),
  )
  const documents = () => import("./read-documents.ts")
  const operations = createRevisionCache(async (api) =>
    (await documents()).readOperationsView({ root, api, revisions, overview }),
  )
  const keptSources = createRevisionCache(async (api) =>
    (await documents()).readApiSource(root, api, revisions),
  )
  const place = { root, processEnvironment, deadlineMs: 15_000 }
  const impact = () => import("../impact/read-impact.ts")
  // A document is compared with a commit, so the cache names both.
  const impacts = createRevisionCache(async (name) => {
    const [api = ""] = JSON.parse(name) as readonly string[]
    return (await impact()).readImpact({ api, place, revisions, overview })
  })
  const known: KnownProject = { overview, sources: (api) => keptSources(revisions.current(), api) }
  const handlers: HandlersOf<"project" | "problems" | "operations" | "scripts" | "impact"> = {
    "project.read": async () => (await overview()).view,
    "project.changes": async () => ({
      files: await (await import("../git/changed-files.ts")).changedFiles(place),
    }),
    "impact.read": async ({ api }) => {
      const head = await (await impact()).readHead(place)
      return impacts(revisions.current(), JSON.stringify([api, head ?? ""]))
    },
    "problems.read": () => problems(revisions.current(), ""),
    "operations.list": ({ api }) => operations(revisions.current(), api),
    "operations.read": async (input) => (await documents()).readOperation(input, known),
    "operations.authentication": async (input) => {
      const { readAuthentication } = await import("./read-authentication.ts")
      return readAuthentication(input, { known, processEnvironment, logins })
    },
    "scripts.types": async ({ workflow }) =>
      (await import("./read-script-types.ts")).readScriptTypes(workflow, known),
  }
  return {
    handlers,
    events: { subscribe: source.subscribe },
    ...known,
    /** Call this after the app itself has changed files. It notifies pages, and later calls read the files again. */
    noteChange: emitChange,
    close: (): void => {
      source.close()
      revisions.close()
      watch.close()
    },
  }
}
