// Answers `workspace/executeCommand`. Before trust, no command runs or writes anything.

import { CallsheetError, ownOf } from "@callsheet/format"
import type { ExecuteCommandParams } from "vscode-languageserver-protocol"
import type { Context, Feature } from "../context.ts"
import { messages } from "../messages.ts"
import { runCommands, writeCommands, type RunCommand } from "./command.ts"
import { runWorkflow } from "./run-workflow.ts"
import { sendRequest } from "./send-request.ts"
import { declareSecret, extractSecret, moveSecret } from "./write-secrets.ts"

const commands: Readonly<Record<string, RunCommand>> = {
  [runCommands.run]: runWorkflow,
  [runCommands.sendRequest]: sendRequest,
  [writeCommands.declareSecret]: declareSecret,
  [writeCommands.moveSecret]: moveSecret,
  [writeCommands.extractSecret]: extractSecret,
}

/** The commands that the server offers to a client that doesn't run them itself. */
export const commandNames = Object.keys(commands)

export const executeCommand: Feature = {
  capabilities: (_, own) => ({
    executeCommandProvider: {
      commands: commandNames.filter((name) => !own.includes(name)),
      workDoneProgress: true,
    },
  }),
  requests: {
    "workspace/executeCommand": async (params: ExecuteCommandParams, context: Context): Promise<unknown> => {
      const { command, arguments: [argument] = [], workDoneToken } = params
      const run = ownOf(commands, command)
      if (run === undefined) throw new CallsheetError(messages.usage.unknownCommand(command))
      if (!context.isTrusted) throw new CallsheetError(messages.usage.untrusted())
      return (await run(argument, { context, workDoneToken })) ?? null
    },
  },
}
