// Runs one call from the runner's side: the order, the answers, the timeout, and the outcome if the process ends first.

import type { ScriptDescription } from "@callsheet/language"
import { parsePathOnce } from "@callsheet/format"
import type { ScriptCall, ScriptOutcome } from "../../ports.ts"
import { messages } from "../../messages.ts"
import { createCallLog } from "./call-log.ts"
import { blockEnded, type ScriptChild } from "./child-process.ts"
import { startDeadline, type Deadline } from "./deadline.ts"
import type { Answer, CallOrder, Report, ValueQuestion } from "./protocol.ts"

/** The time that a script has between its abort signal and its end. */
const graceMs = 50

const says = messages["script-error"]

interface CallResult {
  readonly outcome: ScriptOutcome
  /** Resolves to true if the child may serve another call. This takes a moment, during which the run goes on. */
  readonly reusable: Promise<boolean>
}

/** `limited` is false if a debugger holds the script, because then there is no time limit. */
export function callInChild(child: ScriptChild, call: ScriptCall, limited: boolean): Promise<CallResult> {
  return new Promise((resolve) => {
    const log = createCallLog(call.log)
    const timeoutMs = limited ? call.timeoutMs : undefined
    let isOver = false
    let onChecked: (reusable: boolean) => void = () => undefined
    const checked = new Promise<boolean>((done) => (onChecked = done))

    const finish = async (outcome: ScriptOutcome): Promise<void> => {
      if (isOver) return
      isOver = true
      const stopped = stopper.release()
      // Wait until a stopped process is gone before reporting it; a used-up process may end while the run goes on.
      if (stopped !== undefined) {
        child.kill()
        await child.ended
      }
      await child.settle()
      log.end()
      // Only now: both reports may arrive in one chunk, ahead of earlier output on another pipe.
      void checked.then(() => child.listen(undefined))
      resolve({ outcome: stopped ?? outcome, reusable: checked })
    }
    const onReport = (report: Report): void => {
      if (report.type === "log") log.write(report.text)
      else if (report.type === "log-full") log.fill()
      else if (report.type === "compiling") stopper.deadline.pause()
      else if (report.type === "compiled") stopper.deadline.resume()
      else if (report.type === "called") void finish(report.outcome)
      else if (report.type === "checked") onChecked(report.reusable)
    }

    const stopper = startStopper(child, call, timeoutMs)
    child.listen({
      onReport,
      onQuestion: (question) => (isOver ? blockEnded : answer(question, call)),
      onOutput: (stream, chunk) => log.collect(stream, chunk),
      onEnd: (ending) => {
        onChecked(false)
        void finish({ ok: false, ...ending })
      },
    })
    if (call.signal.aborted) stopper.cancel()
    else {
      send(child, orderOf(call, timeoutMs), (outcome) => {
        onChecked(true)
        void finish(outcome)
      })
    }
  })
}

interface Stopper {
  readonly deadline: Deadline
  readonly cancel: () => void
  /** Stops watching. Returns the outcome if the call was stopped. */
  readonly release: () => ScriptOutcome | undefined
}

/** Stops a call at its timeout, or when its signal aborts: asks the child first and kills it a little later. */
function startStopper(child: ScriptChild, call: ScriptCall, timeoutMs: number | undefined): Stopper {
  let stopped: ScriptOutcome | undefined
  let killTimer: NodeJS.Timeout | undefined
  let isReleased = false
  const stop = (reason: "timeout" | "cancelled"): void => {
    if (stopped !== undefined || isReleased) return
    stopped = reason === "timeout" ? timedOut(call.timeoutMs) : cancelled
    child.send({ type: "abort", reason })
    killTimer = setTimeout(() => child.kill(), graceMs)
  }
  const cancel = (): void => stop("cancelled")
  const deadline = startDeadline(timeoutMs, () => stop("timeout"))
  call.signal.addEventListener("abort", cancel, { once: true })
  return {
    deadline,
    cancel,
    release: () => {
      isReleased = true
      deadline.clear()
      clearTimeout(killTimer)
      call.signal.removeEventListener("abort", cancel)
      return stopped
    },
  }
}

interface SourceOfScript {
  readonly file: string
  readonly source: string
}

export function describeInChild(child: ScriptChild, script: SourceOfScript): Promise<ScriptDescription> {
  return new Promise((resolve) => {
    child.listen({
      onReport: (report) => {
        if (report.type !== "described") return
        child.listen(undefined)
        resolve(report.description)
      },
      onQuestion: () => ({ ok: false, message: says.notCalled().message }),
      onOutput: () => undefined,
      onEnd: ({ message }) => resolve({ ok: false, message }),
    })
    child.send({ type: "describe", ...script })
  })
}

export const cancelled: ScriptOutcome = { ok: false, ...messages.cancelled.run() }

const timedOut = (timeoutMs: number): ScriptOutcome => ({
  ok: false,
  ...messages["script-timeout"].timedOut(timeoutMs),
})

function orderOf(call: ScriptCall, timeoutMs: number | undefined): CallOrder {
  const { kind, file, exportName, context } = call
  return { type: "call", kind, file, exportName, context, timeoutMs }
}

function send(child: ScriptChild, order: CallOrder, onRefused: (outcome: ScriptOutcome) => void): void {
  try {
    child.send(order)
  } catch {
    onRefused({ ok: false, ...says.inputsTooLarge() })
  }
}

function answer(question: ValueQuestion, call: ScriptCall): Answer {
  try {
    if (question.type === "secret") return answerSecret(question.value, call)
    return question.type === "environment" ? answerVariables(question.api, call) : answerPath(question, call)
  } catch {
    // The error's own message is about our internals.
    return { ok: false, message: says.unreadableValue().message }
  }
}

function answerSecret(value: string | number | bigint, call: ScriptCall): Answer {
  const refusal = call.secret(value)
  return refusal === undefined ? { ok: true, value: undefined } : { ok: false, message: refusal }
}

function answerVariables(api: string, call: ScriptCall): Answer {
  const value = call.environment(api)
  if (value !== undefined) return { ok: true, value }
  return { ok: false, message: says.unknownApi(api).message }
}

function answerPath(
  question: { readonly type: "get" | "has"; readonly path: string },
  call: ScriptCall,
): Answer {
  const parsed = parsePathOnce(question.path)
  if (!parsed.ok) return { ok: false, message: says.path(question.path, parsed.offset + 1).message }
  const found = call.read(question.path)
  if (question.type === "has") return { ok: true, value: found.found }
  return { ok: true, value: found.found ? found.value : undefined }
}
