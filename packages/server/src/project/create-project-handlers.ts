// Answers calls about the project. Keeps results until a file changes, then notifies pages.

import type { GitPlace, Logins } from "@callsheet/engine"
import type { Project } from "@callsheet/format"
import { watchProject, type WatchOptions } from "@callsheet/project"
import type { AppEvent, ImpactView } from "../calls/index.ts"
import { createEventSource } from "../events.ts"
import type { HandlersOf } from "../handlers.ts"
import { createSecretsMasker } from "../secrets/secrets-masker.ts"
import { createRevisionCache, createRevisions, type Revisions } from "./revisions.ts"
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
  const readImpact = createImpactReader({ place, revisions, overview })
  const known: KnownProject = { overview, sources: (api) => keptSources(revisions.current(), api) }
  const handlers: HandlersOf<"project" | "problems" | "operations" | "scripts" | "impact"> = {
    "project.read": async () => (await overview()).view,
    "project.changes": async () => ({
      files: await (await import("../git/changed-files.ts")).changedFiles(place),
    }),
    "impact.read": ({ api }) => readImpact(api),
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

interface ImpactReaderOptions extends Pick<KnownProject, "overview"> {
  readonly place: GitPlace
  readonly revisions: Revisions
}

/** Returns a function that compares the document of an API with the last commit. */
function createImpactReader({ place, revisions, overview }: ImpactReaderOptions) {
  const code = () => import("../impact/read-impact.ts")
  // A new commit changes no file of the project, so the cache names it.
  const kept = createRevisionCache(async (name) => {
    const [api = ""] = JSON.parse(name) as readonly string[]
    return (await code()).readImpact({ api, place, revisions, overview })
  })
  return async (api: string): Promise<ImpactView> => {
    const head = await (await code()).readHead(place)
    return kept(revisions.current(), JSON.stringify([api, head ?? ""]))
  }
}
