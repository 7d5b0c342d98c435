// Does the job of a thread, and sends its result to the thread that started it.

import { parentPort, workerData } from "node:worker_threads"
import { CallsheetError, type Problem } from "@callsheet/format"

export type ThreadAnswer<Result> =
  | { readonly is: "done"; readonly result: Result }
  | {
      readonly is: "refused"
      readonly code: CallsheetError["code"]
      readonly message: string
      readonly hint: string | undefined
      readonly problems: readonly Problem[]
    }

export function answerInThread<Job, Result>(work: (job: Job) => Promise<Result>): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window's
  const finish = (answer: ThreadAnswer<Result>): void => parentPort?.postMessage(answer)
  work(workerData as Job).then(
    (result) => finish({ is: "done", result }),
    (error: unknown) => {
      // The error of a bug ends the thread, and reaches the server as it is.
      if (!(error instanceof CallsheetError)) throw error
      const { code, message, hint, problems } = error
      finish({ is: "refused", code, message, hint, problems })
    },
  )
}
