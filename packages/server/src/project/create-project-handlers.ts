// What the server answers of a project: read when it is asked for, kept until a file changes, and told of then.

import type { Masker } from "@callsheet/engine"
import type { Project } from "@callsheet/format"
import { watchProject, type WatchOptions } from "@callsheet/project"
import type { AppEvent, ProjectView } from "../calls/index.ts"
import { createEventSource } from "../event-source.ts"
import type { Handlers } from "../handlers.ts"
import { createOperationReader } from "../operations/create-operation-reader.ts"
import { createScriptReader } from "../scripts/create-script-reader.ts"
import { createApiSources, type ApiSources } from "./api-sources.ts"
import { findProblems } from "./find-problems.ts"
import { createKept } from "./kept.ts"
import { createMoments } from "./moments.ts"
import { projectView } from "./project-view.ts"
import { readOperationsView } from "./read-operations-view.ts"
import { readOverview } from "./read-parts.ts"
import { createSecretsMasker } from "./secrets-masker.ts"

export interface ProjectHandlersOptions {
  /** Absolute path of the project. */
  readonly root: string
  /** The bundled entry of the script process, which parses scripts and runs none. */
  readonly scriptEntry: URL
  /** May hold values of secret variables, which are masked in all answers. */
  readonly processEnvironment: Readonly<Record<string, string | undefined>>
  readonly watch?: WatchOptions
}

type ProjectChanged = Extract<AppEvent, { type: "project.changed" }>

export interface ProjectHandlers {
  readonly handlers: Pick<
    Handlers,
    "project.read" | "problems.read" | "operations.list" | "operations.read" | "scripts.types"
  >
  readonly events: { readonly subscribe: (listener: (event: ProjectChanged) => void) => () => void }
  /** The project as it is now, documents unread, and what must not be seen of it. */
  readonly overview: () => Promise<Overview>
  readonly sources: ApiSources
  /** The application itself has changed files: what is asked for from now on is read anew, and pages hear of it at once. */
  readonly noteChange: () => void
  /** Ends the watch on the files; a check that is under way ends soon after. */
  readonly close: () => void
}

export interface Overview {
  readonly view: ProjectView
  readonly project: Project
  readonly masker: Masker | undefined
}

/** Watches the project from now on, and reads nothing of it before the first call. */
export function createProjectHandlers(options: ProjectHandlersOptions): ProjectHandlers {
  const { root, scriptEntry, processEnvironment } = options
  const source = createEventSource<ProjectChanged>()
  const tell = (): void => source.tell({ type: "project.changed", revision: moments.advance() })
  const watch = watchProject(root, tell, options.watch)
  const moments = createMoments(watch.isPending)
  let latest: Project | undefined
  const keptOverview = createKept(async () => {
    const { revision, value: project } = await moments.read(() => readOverview(root, latest))
    latest = project
    const masker = await createSecretsMasker(project, processEnvironment)
    const value: Overview = { project, masker, view: projectView(project, revision, masker) }
    return { revision, value }
  })
  const overview = () => keptOverview(moments.revision(), "")
  const problems = createKept(() => findProblems({ root, scriptEntry, moments, watch, overview }))
  const operations = createKept((api) => readOperationsView({ root, api, moments, overview }))
  const sources = createApiSources(root, moments)
  return {
    handlers: {
      "project.read": async () => (await overview()).view,
      "problems.read": () => problems(moments.revision(), ""),
      "operations.list": ({ api }) => operations(moments.revision(), api),
      "operations.read": createOperationReader({ sources, overview }),
      "scripts.types": createScriptReader({ sources, overview }),
    },
    events: { subscribe: source.subscribe },
    overview,
    sources,
    noteChange: tell,
    close: () => {
      source.close()
      moments.close()
      watch.close()
    },
  }
}
