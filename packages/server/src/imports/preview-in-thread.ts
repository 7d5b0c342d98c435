// Previews imports in a thread, so that a hostile collection can't stop other calls: it has a time and a memory limit.

import { Worker } from "node:worker_threads"
import { ownFiles } from "@callsheet/engine"
import { CallsheetError } from "@callsheet/format"
import { messages } from "../messages.ts"
import type { ThreadResult } from "./import-thread.ts"
import type { ImportJob, WorkedOutImport } from "./work-out-import.ts"

export type PreviewImport = (job: ImportJob) => Promise<WorkedOutImport>

const MAX_SECONDS = 120
const MAX_MEBIBYTES = 1024

/** Returns a function that previews imports one after the other. `entry` is the bundled `import-thread.ts`. */
export function previewingInThread(entry: URL, maxSeconds = MAX_SECONDS): PreviewImport {
  let last: Promise<unknown> = Promise.resolve()
  return (job) => {
    const next = last.then(() => previewInThread(entry, job, maxSeconds))
    last = next.catch(() => undefined)
    return next
  }
}

function previewInThread(entry: URL, job: ImportJob, maxSeconds: number): Promise<WorkedOutImport> {
  const { source, options } = ownFiles.threadFor(entry)
  const worker = new Worker(source, {
    ...options,
    workerData: job,
    execArgv: [],
    stdin: false,
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEBIBYTES },
  })
  // The app may stop in the meantime.
  worker.unref()
  const exhausted = (): CallsheetError =>
    new CallsheetError(messages["import-source"].exhausted(maxSeconds, MAX_MEBIBYTES))
  return new Promise<WorkedOutImport>((resolve, reject) => {
    const timer = setTimeout(() => reject(exhausted()), maxSeconds * 1000)
    timer.unref()
    worker.once("message", (result: ThreadResult) => {
      clearTimeout(timer)
      if (result.is === "preview") resolve(result.preview)
      else reject(refusal(result))
    })
    worker.once("error", (error: NodeJS.ErrnoException) =>
      reject(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? exhausted() : error),
    )
    worker.once("exit", () => reject(exhausted()))
  }).finally(() => void worker.terminate())
}

const refusal = ({
  code,
  message,
  hint,
  problems,
}: Extract<ThreadResult, { is: "refused" }>): CallsheetError =>
  new CallsheetError({ code, message, hint }, { problems })
