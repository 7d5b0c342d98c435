// Separates the events of concurrent jobs, so that listeners receive one run after the other.

import type { Listener, RunEvent } from "@callsheet/format"
import { SessionLog, type MaskAgain } from "../outlet/session-log.ts"

/** The events of one job: the attempts of a workflow, each with its cleanup. */
interface JobEvents {
  readonly emit: Listener
  readonly end: () => void
}

/** A source of jobs: a main entry of the schedule. */
export interface SourceEvents {
  readonly open: () => JobEvents
  /** Called when no more jobs will be opened. */
  readonly close: () => void
}

interface Job {
  readonly log: SessionLog
  isEnded: boolean
}

interface Source {
  readonly jobs: Job[]
  isClosed: boolean
}

interface JobListeners {
  readonly maskAgain: MaskAgain
  /** Masks an event when it is emitted. */
  readonly receive: (event: RunEvent) => RunEvent
  /** Receives the events of each job when it and all jobs before it in the schedule have ended. */
  readonly inOrder: Listener
  /** Receives the events of each job when it has ended. */
  readonly asEnded: Listener
}

/** Creates a function that opens sources. Call it in the order of the schedule. */
export function separateJobs({ maskAgain, receive, inOrder, asEnded }: JobListeners): () => SourceEvents {
  const sources: Source[] = []
  const deliver = ({ log }: Job, to: Listener): void => {
    for (const event of log) to(event)
  }
  const advance = (): void => {
    for (let source = sources[0]; source !== undefined; source = sources[0]) {
      while (source.jobs[0]?.isEnded === true) deliver(source.jobs.shift()!, inOrder)
      if (!source.isClosed || source.jobs.length > 0) return
      sources.shift()
    }
  }
  return () => {
    const source: Source = { jobs: [], isClosed: false }
    sources.push(source)
    return {
      open: () => {
        const job: Job = { log: new SessionLog(), isEnded: false }
        source.jobs.push(job)
        return {
          emit: (event) => job.log.append(receive(event), maskAgain),
          end: () => {
            job.isEnded = true
            deliver(job, asEnded)
            advance()
          },
        }
      },
      close: () => {
        source.isClosed = true
        advance()
      },
    }
  }
}
