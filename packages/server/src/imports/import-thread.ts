// The entry point of the bundled thread that previews an import.

import { parentPort, workerData } from "node:worker_threads"
import { CallsheetError, type Problem } from "@callsheet/format"
import { workOutImport, type ImportJob, type WorkedOutImport } from "./work-out-import.ts"

export type ThreadResult =
  | { readonly is: "preview"; readonly preview: WorkedOutImport }
  | {
      readonly is: "refused"
      readonly code: CallsheetError["code"]
      readonly message: string
      readonly hint: string | undefined
      readonly problems: readonly Problem[]
    }

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window's
const finish = (result: ThreadResult): void => parentPort?.postMessage(result)

workOutImport(workerData as ImportJob).then(
  (preview) => finish({ is: "preview", preview }),
  (error: unknown) => {
    // The error of a bug ends the thread, and reaches the server as it is.
    if (!(error instanceof CallsheetError)) throw error
    const { code, message, hint, problems } = error
    finish({ is: "refused", code, message, hint, problems })
  },
)
