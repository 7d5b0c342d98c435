// Adapts the events of one project's session to a session of several projects.

import type { Problem } from "../problems.ts"
import { joinBeyond } from "../text/join-path.ts"
import type { RunEvent } from "./types.ts"

/** Where the events of a project belong in the whole session. */
export interface ProjectPlace {
  /** The project's directory, with `/`. Paths of files start with it. */
  readonly project: string
  /** The number of runs before it. */
  readonly firstRun: number
}

/** Returns the event with the project's name, its run numbered in the whole session, and paths of files from above. */
export function placeEvent(event: RunEvent, { project, firstRun }: ProjectPlace): RunEvent {
  const run = event.run + firstRun
  const at = <T extends { readonly file?: string | undefined }>(part: T): T => inProject(part, project)
  switch (event.type) {
    case "run.started":
      return { ...event, run, project }
    case "warning.raised":
      return { ...event, run, warning: at(event.warning) }
    case "request.checked":
      return { ...event, run, problems: event.problems.map(at) }
    case "contract.checked":
      return { ...event, run, contract: { ...event.contract, problems: event.contract.problems.map(at) } }
    case "assertions.checked":
      return { ...event, run, assertions: event.assertions.map(at) }
    case "block.finished":
      return event.error === undefined ? { ...event, run } : { ...event, run, error: at(event.error) }
    case "run.finished": {
      const { error } = event
      return error === undefined
        ? { ...event, run }
        : { ...event, run, error: { ...error, problems: error.problems.map(at) } }
    }
    default:
      return { ...event, run }
  }
}

/** Returns a problem, or another part with a file of a project, with the file's path from above the project. */
export const inProject = <T extends Pick<Problem, "file">>(part: T, project: string): T =>
  part.file === undefined ? part : { ...part, file: fileInProject(part.file, project) }

/** Returns the path of a project's file from above the project. It may lead out of the project, to shared documents. */
export const fileInProject = (file: string, project: string): string =>
  project === "." ? file : joinBeyond(`${project}/`, file)
