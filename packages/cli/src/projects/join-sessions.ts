// Joins the sessions of several projects to one: their runs are numbered one after the other, and name their project.

import type { LiveListener, MaskAgain } from "@callsheet/engine"
import {
  placeEvent,
  type EnvironmentFiles,
  type Leftover,
  type RunEvent,
  type StaleViolation,
} from "@callsheet/format"
import { openProject, readEnvironmentsIn } from "@callsheet/project"
import { placeError } from "./each-project.ts"
import type { FoundProject } from "./find-projects.ts"

/** What happens to the events of all sessions. */
export interface SessionListeners {
  readonly listen: readonly LiveListener[]
  readonly listenEnded: LiveListener | undefined
  readonly watch: LiveListener | undefined
}

export class SessionJoin {
  /** The directory that paths of files are relative to. */
  readonly root: string
  readonly #names: ReadonlyMap<string, string>
  readonly #masks: MaskAgain[] = []
  readonly #leftovers: Leftover[] = []
  readonly #stale: StaleViolation[] = []
  #environments: readonly EnvironmentFiles[] | undefined
  #searches = 0
  #runs = 0

  constructor(root: string, projects: readonly FoundProject[]) {
    this.root = root
    this.#names = new Map(projects.map((project) => [project.root, project.name]))
  }

  /** Reads the environments of all projects, whose variables and secrets the process may hold, once. */
  readAllEnvironments(): readonly EnvironmentFiles[] {
    return (this.#environments ??= [...this.#names.keys()].flatMap((root) =>
      readEnvironmentsIn(openProject(root)),
    ))
  }

  /** Returns the name of a project: its path from the working directory. */
  nameOf(root: string): string {
    return this.#names.get(root) ?? root
  }

  /** Returns the listeners of the next session. They pass its events, placed in the whole session. */
  open(root: string, shared: SessionListeners): SessionListeners {
    const place = { project: this.nameOf(root), firstRun: this.#runs }
    const session = this.#masks.push((event) => event) - 1
    const placed =
      (listener: LiveListener): LiveListener =>
      (event, maskAgain) => {
        this.#masks[session] = maskAgain
        listener(placeEvent(event, place), this.#maskAgain)
      }
    const count: LiveListener = ({ run }) => {
      this.#runs = Math.max(this.#runs, place.firstRun + run + 1)
    }
    const inTurn = shared.listen.map(placed)
    return {
      listen: [
        count,
        (event, maskAgain) => this.#keep(event) || inTurn.forEach((hear) => hear(event, maskAgain)),
      ],
      listenEnded: shared.listenEnded && unlessLast(placed(shared.listenEnded)),
      watch: shared.watch && unlessLast(placed(shared.watch)),
    }
  }

  /** Passes what all sessions report at their end, once: listeners expect one list per session. */
  finish({ listen, listenEnded, watch }: SessionListeners): void {
    const rest: RunEvent[] = []
    if (this.#stale.length > 0) rest.push({ type: "baseline.compared", run: 0, stale: this.#stale })
    if (this.#searches > 0) rest.push({ type: "leftovers.found", run: 0, leftovers: this.#leftovers })
    for (const event of rest)
      for (const hear of [...listen, listenEnded, watch]) hear?.(event, this.#maskAgain)
  }

  /** Returns the error of a session with the project in its texts and paths. */
  placeError(root: string, error: unknown): unknown {
    return placeError(error, this.nameOf(root))
  }

  /** Masks with the secrets of every session so far. */
  readonly #maskAgain: MaskAgain = (event) => this.#masks.reduce((masked, mask) => mask(masked), event)

  #keep(event: RunEvent): boolean {
    if (event.type === "leftovers.found") {
      this.#searches++
      this.#leftovers.push(...event.leftovers)
    } else if (event.type === "baseline.compared") this.#stale.push(...event.stale)
    return isLast(event)
  }
}

const isLast = ({ type }: RunEvent): boolean => type === "leftovers.found" || type === "baseline.compared"

const unlessLast =
  (listener: LiveListener): LiveListener =>
  (event, maskAgain) => {
    if (!isLast(event)) listener(event, maskAgain)
  }
