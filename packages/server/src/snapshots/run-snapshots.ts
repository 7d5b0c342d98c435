// Keeps the responses of the last runs that differ from their snapshots, until the user accepts the changes.

import type { LiveListener, Ports } from "@callsheet/engine"
import { stringifyJson, type Project } from "@callsheet/format"
import { suiteIn } from "@callsheet/language"
import { suiteOf } from "../calls/index.ts"
import { keepWhole, ReceivedResponses, type KeptResponse } from "./received-responses.ts"
import { compareWithSnapshots, readSessionSnapshots } from "./session-snapshots.ts"

export interface ComparedRun {
  readonly usePorts: (ports: Ports) => Ports
  readonly listen: LiveListener
  /** Keeps the responses, masked with every secret of the run. */
  readonly finish: () => void
}

type KeptResponses = ReadonlyMap<string, KeptResponse>

/** The maximum number of runs, and the maximum size of their responses in characters. */
const MAX_RUNS = 4
const MAX_LENGTH = 64 * 1024 * 1024

export class RunSnapshots {
  readonly #kept = new Map<string, KeptResponses>()

  /** Returns the responses by file. Undefined if they aren't kept. */
  readonly of = (run: string): KeptResponses | undefined => this.#kept.get(run)

  /** Throws the problems of snapshots that can't be read. */
  open(run: string, subject: string, project: Project): ComparedRun {
    const suite = suiteOf(subject)
    const schedule = suite === undefined ? undefined : suiteIn(project, suite).suite
    const snapshots = readSessionSnapshots(project, { workflows: [subject], schedule })
    const responses = new ReceivedResponses((file, code) => {
      if (code === "snapshot-differs") return "keep"
      // A response that equals its snapshot has nothing to accept, even if an earlier attempt differed.
      return snapshots.files.has(file) ? "forget" : keepWhole(file, code)
    })
    const ignore = project.settingsFile?.settings?.snapshots?.ignore ?? []
    return {
      usePorts: (ports) => compareWithSnapshots(ports, snapshots, ignore),
      listen: responses.hear,
      finish: () => this.#keep(run, responses.all()),
    }
  }

  #keep(run: string, responses: Iterable<KeptResponse>): void {
    const kept = new Map<string, KeptResponse>()
    let length = 0
    for (const response of responses) {
      length += stringifyJson(response.response.body ?? null).length
      if (length > MAX_LENGTH) break
      kept.set(response.file, response)
    }
    this.#kept.set(run, kept)
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MAX_RUNS) break
      this.#kept.delete(oldest)
    }
  }
}
