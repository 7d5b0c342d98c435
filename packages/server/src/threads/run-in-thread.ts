// Runs jobs in threads, so that a large or hostile input can't stop other calls: each has a time and a memory limit.

import { Worker } from "node:worker_threads"
import { ownFiles } from "@callsheet/engine"
import { CallsheetError, type Finding } from "@callsheet/format"
import type { ThreadAnswer } from "./answer-in-thread.ts"

const MAX_SECONDS = 120
const MAX_MEBIBYTES = 1024

interface ThreadOptions {
  /** The bundled module that calls `answerInThread`. */
  readonly entry: URL
  /** The error if a job reaches a limit. */
  readonly exhausted: (seconds: number, mebibytes: number) => Finding
  readonly maxSeconds?: number | undefined
}

/** Returns a function that runs jobs one after the other, each in a thread of its own. */
export function runningInThread<Job, Result>(options: ThreadOptions): (job: Job) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve()
  return (job) => {
    const next = last.then(() => runInThread<Result>(options, job))
    last = next.catch(() => undefined)
    return next
  }
}

function runInThread<Result>(
  { entry, exhausted: limit, maxSeconds = MAX_SECONDS }: ThreadOptions,
  job: unknown,
): Promise<Result> {
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
  const exhausted = (): CallsheetError => new CallsheetError(limit(maxSeconds, MAX_MEBIBYTES))
  return new Promise<Result>((resolve, reject) => {
    const timer = setTimeout(() => reject(exhausted()), maxSeconds * 1000)
    timer.unref()
    worker.once("message", (answer: ThreadAnswer<Result>) => {
      clearTimeout(timer)
      if (answer.is === "done") resolve(answer.result)
      else reject(refusal(answer))
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
}: Extract<ThreadAnswer<unknown>, { is: "refused" }>): CallsheetError =>
  new CallsheetError({ code, message, hint }, { problems })
