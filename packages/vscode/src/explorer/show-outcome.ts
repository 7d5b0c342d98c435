// Shows the outcomes of a run in the Test Explorer.

import * as vscode from "vscode"
import type { Project } from "../projects.ts"
import type { Responses } from "../responses.ts"
import type { Failure } from "../tests/failures.ts"
import type { Outcome } from "../tests/result-fold.ts"
import type { TestItems } from "./test-items.ts"

export interface Shown {
  readonly run: vscode.TestRun
  readonly project: Project
  readonly items: TestItems
  readonly responses: Responses
}

export function showOutcome(outcome: Outcome, { run, project, items, responses }: Shown): void {
  if (outcome.is === "row") return items.addRow(project, outcome.entry, outcome.row)
  if (outcome.is === "response") return responses.keep(outcome.workflow, outcome.block, outcome.response)
  if (outcome.is === "unconfirmed" || outcome.is === "unbound") return
  const item = items.item(project, outcome.node)
  if (outcome.is === "output") return showOutput(run, outcome.text, item)
  if (item === undefined) return
  switch (outcome.is) {
    case "started":
      return run.started(item)
    case "skipped":
      return run.skipped(item)
    case "passed":
      return run.passed(item, outcome.durationMs)
    case "failed":
      return run.failed(item, messagesOf(outcome.failures, project, item), outcome.durationMs)
    case "errored":
      return run.errored(item, messagesOf(outcome.failures, project, item), outcome.durationMs)
  }
}

/** The output is a terminal, which needs both characters of a line end. */
export function showOutput(run: vscode.TestRun, text: string, item?: vscode.TestItem): void {
  run.appendOutput(`${printable(text).replace(/\r?\n/g, "\r\n")}\r\n`, undefined, item)
}

/** Removes the characters that would control the terminal: a response may contain any. */
// oxlint-disable-next-line no-control-regex -- these characters are what is removed
const printable = (text: string): string =>
  text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "\ufffd")

function messagesOf(
  failures: readonly Failure[],
  project: Project,
  item: vscode.TestItem,
): vscode.TestMessage[] {
  return failures.map(({ text, expected, received, ...place }) => {
    const message =
      expected === undefined || received === undefined
        ? new vscode.TestMessage(text)
        : vscode.TestMessage.diff(text, expected, received)
    const location = locationOf(place, project, item)
    if (location !== undefined) message.location = location
    return message
  })
}

function locationOf(
  { file, line = 1, column = 1 }: Pick<Failure, "file" | "line" | "column">,
  project: Project,
  item: vscode.TestItem,
): vscode.Location | undefined {
  const at = new vscode.Position(Math.max(0, line - 1), Math.max(0, column - 1))
  if (file !== undefined) return new vscode.Location(vscode.Uri.joinPath(project.uri, file), at)
  return item.uri === undefined ? undefined : new vscode.Location(item.uri, item.range ?? at)
}
