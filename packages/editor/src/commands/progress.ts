// Shows the progress of a command in the editor, where the user can cancel it.

import { randomUUID } from "node:crypto"
import type {
  WorkDoneProgressBegin,
  WorkDoneProgressEnd,
  WorkDoneProgressReport,
} from "vscode-languageserver-protocol"
import type { CommandCall } from "./command.ts"

/** A client may refuse to show it. The work goes on. */
const isAccepted = (request: Promise<unknown>): Promise<boolean> =>
  request.then(
    () => true,
    () => false,
  )

type Progress = WorkDoneProgressBegin | WorkDoneProgressReport | WorkDoneProgressEnd

/** Works with a progress that the client shows if it can. */
export async function withProgress<T>(
  { context, workDoneToken }: CommandCall,
  title: string,
  work: (progress: {
    readonly report: (message: string) => void
    readonly signal: AbortSignal
  }) => Promise<T>,
): Promise<T> {
  const { client, cancels, capabilities, signal } = context
  const token = workDoneToken ?? randomUUID()
  const asks = workDoneToken === undefined && capabilities.window?.workDoneProgress === true
  const isCreated = asks && (await isAccepted(client.request("window/workDoneProgress/create", { token })))
  const isShown = isCreated || workDoneToken !== undefined
  const tell = (value: Progress): void => {
    if (isShown) client.notify("$/progress", { token, value })
  }
  const cancelled = cancels.add(token)
  tell({ kind: "begin", title, cancellable: true })
  try {
    return await work({
      report: (message) => tell({ kind: "report", message }),
      signal: AbortSignal.any([signal, cancelled]),
    })
  } finally {
    cancels.remove(token)
    tell({ kind: "end" })
  }
}
