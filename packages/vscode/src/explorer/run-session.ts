// Runs one call of `callsheet run` for the Test Explorer: its events become results, and a debugger attaches to its
// scripts.

import * as vscode from "vscode"
import { parseExact, splitProblems, type RunEvent } from "@callsheet/format"
import type { Callsheet } from "../callsheet.ts"
import { confirmProduction } from "../environments.ts"
import type { DocumentCoverage } from "../tests/document-coverage.ts"
import { ResultFold, type Outcome } from "../tests/result-fold.ts"
import { runWords, type RunCall, type RunChoice } from "../tests/run-arguments.ts"
import { showOutcome, showOutput, type Shown } from "./show-outcome.ts"
import type { ShownRun } from "./shown-run.ts"

export interface Session extends Omit<Shown, "run"> {
  readonly shown: ShownRun
  readonly callsheet: Callsheet
  readonly call: RunCall
  readonly choice: RunChoice
  readonly signal: AbortSignal
  readonly coverage?: DocumentCoverage | undefined
  /** Lets the user choose an environment. Returns `<api>=<environment>` for each API that has it. */
  readonly chooseEnvironment: () => Promise<readonly string[]>
}

/** Runs until the session is over. Asks before it sends to production, and for an environment if none is chosen. */
export async function runSession(session: Session): Promise<void> {
  const waiting = await runOnce(session)
  if (waiting.length === 0 || session.signal.aborted) return
  const choice = await answer(waiting, session)
  // A run of the chosen environment may still need a confirmation.
  if (choice !== undefined) return runSession({ ...session, choice })
  for (const outcome of waiting) showOutcome(outcome, { ...session, run: session.shown.open })
}

/** Asks what the run needs to know. Undefined if the user doesn't answer, or has answered already. */
async function answer(waiting: readonly Outcome[], session: Session): Promise<RunChoice | undefined> {
  const { choice, chooseEnvironment } = session
  if (choice.isContinuous === true) return undefined
  if (waiting.some(({ is }) => is === "unbound")) {
    const environments = choice.environments.length === 0 ? await chooseEnvironment() : []
    return environments.length === 0 ? undefined : { ...choice, environments }
  }
  const unconfirmed = waiting.flatMap((outcome) => (outcome.is === "unconfirmed" ? [outcome] : []))
  const isConfirmed = choice.isConfirmed !== true && (await confirmProduction(unconfirmed))
  return isConfirmed ? { ...choice, isConfirmed } : undefined
}

/** Returns the outcomes of runs that wait for an answer of the user. */
async function runOnce(session: Session): Promise<readonly Outcome[]> {
  const { callsheet, project, call, choice, signal } = session
  const stop = new AbortController()
  signal.addEventListener("abort", () => stop.abort(), { once: true })
  const reader = new EventReader(session)
  const { exitCode, errors } = await callsheet.run(project, {
    words: runWords(call, choice),
    signal: stop.signal,
    onLine: (line) => {
      reader.read(line)
      // Nobody watches each session of a continuous run, so it never sends to production.
      if (reader.waiting.length > 0 && choice.isContinuous === true) stop.abort()
    },
    onErrorLine: (line) => {
      if (choice.isDebug === true) attachDebugger(line, session)
      // Between two sessions, a continuous run says what it waits for.
      if (choice.isContinuous === true && !session.shown.isOpen) callsheet.output.info(line)
      else showOutput(session.shown.open, line)
    },
  })
  session.coverage?.next()
  if (!reader.hasRun && !signal.aborted)
    refuse(session, errors || `callsheet ended with ${exitCode ?? "a signal"}`)
  return reader.waiting
}

class EventReader {
  readonly waiting: Outcome[] = []
  hasRun = false
  readonly #session: Session
  #fold: ResultFold

  constructor(session: Session) {
    this.#session = session
    this.#fold = this.#newFold()
  }

  read(line: string): void {
    const event = eventIn(line)
    if (event === undefined) return
    if (event.type === "session.finished") return this.#endSession()
    if (event.type === "run.started") this.hasRun = true
    this.#session.coverage?.apply(event)
    const outcomes = this.#fold.apply(event)
    const waits = outcomes.some(({ is }) => is === "unconfirmed" || is === "unbound")
    if (waits) this.waiting.push(...outcomes)
    else
      for (const outcome of outcomes)
        showOutcome(outcome, { ...this.#session, run: this.#session.shown.open })
  }

  #endSession(): void {
    if (this.#session.choice.isContinuous !== true) return
    this.#session.shown.end()
    this.#fold = this.#newFold()
  }

  #newFold(): ResultFold {
    const { items, project, call } = this.#session
    return new ResultFold(items.listed(project), { isPartial: call.isPartial === true })
  }
}

/** Returns the event in a line. Undefined if the line is something else, such as output of another program. */
function eventIn(line: string): RunEvent | { readonly type: "session.finished" } | undefined {
  try {
    const value: unknown = parseExact(line)
    return typeof value === "object" && value !== null && "type" in value ? (value as RunEvent) : undefined
  } catch {
    return undefined
  }
}

/** Shows that nothing ran, and why: at the chosen tests, else the first problem. The output has all of them. */
function refuse({ shown, items, project, call }: Session, errors: string): void {
  const chosen = call.nodes.flatMap(({ id }) => items.item(project, id) ?? [])
  for (const item of chosen) shown.open.errored(item, new vscode.TestMessage(errors.trim()))
  const [first = errors] = splitProblems(errors)
  if (chosen.length === 0) void vscode.window.showErrorMessage(`callsheet: ${first}`)
}

const listening = /^Debugger listening on (ws:\/\/127\.0\.0\.1:(\d+)\/\S+)$/

/** Attaches VS Code's debugger for Node to a script that waits for one. */
function attachDebugger(line: string, { project, shown }: Session): void {
  const [, websocketAddress, port] = listening.exec(line) ?? []
  if (websocketAddress === undefined) return
  const configuration = {
    type: "node",
    request: "attach",
    name: "callsheet scripts",
    address: "127.0.0.1",
    port: Number(port),
    websocketAddress,
    localRoot: project.root,
    remoteRoot: project.root,
    // Stepping stays in the user's scripts.
    skipFiles: ["<node_internals>/**", "**/node_modules/**"],
  }
  void vscode.debug.startDebugging(project.folder, configuration, { testRun: shown.open })
}
