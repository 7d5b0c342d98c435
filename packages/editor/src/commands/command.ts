// The commands of the server, and who runs them.

import type { ProgressToken } from "vscode-languageserver-protocol"
import type { Context } from "../context.ts"

/** Commands that the server can run. A client that declares one in `initializationOptions.commands` runs it itself. */
export const runCommands = { run: "callsheet.run", sendRequest: "callsheet.sendRequest" } as const

/** Commands that write values by the project's writer, because no edit of an editor may contain them. */
export const writeCommands = {
  declareSecret: "callsheet.declareSecret",
  moveSecret: "callsheet.moveSecret",
  extractSecret: "callsheet.extractSecret",
} as const

/** Only a client has a debugger. */
export const DEBUG_SCRIPT = "callsheet.debugScript"

export interface CommandCall {
  readonly context: Context
  /** Set if the client shows the progress of this request. */
  readonly workDoneToken?: ProgressToken | undefined
}

export type RunCommand = (argument: unknown, call: CommandCall) => Promise<unknown>
