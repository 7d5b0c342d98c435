// Runs one call from the runner's side: the order, the answers, the timeout, and the outcome if the process ends first.

import type { ScriptDescription } from "@callsheet/language"
import { parsePathOnce } from "@callsheet/format"
import type { ScriptCall, ScriptOutcome } from "../../ports.ts"
import { messages } from "../../messages.ts"
import { maxLoggedCharacters } from "./child/capture-output.ts"
import { blockEnded, type ScriptChild } from "./child-process.ts"
import { startDeadline } from "./deadline.ts"
import type { Answer, Order, Report, ValueQuestion } from "./protocol.ts"

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
    if (call.signal.aborted) {
      stopper.cancel()
      return
    }
    const { kind, file, exportName, context } = call
    try {
      child.send({ type: "call", kind, file, exportName, context, timeoutMs })
    } catch {
      onChecked(true)
      void finish({ ok: false, ...says.inputsTooLarge() })
    }
  })
}

/** Stops a call at its timeout, or when its signal aborts: asks the child first and kills it a little later. */
function startStopper(child: ScriptChild, call: ScriptCall, timeoutMs: number | undefined) {
  let stopped: ScriptOutcome | undefined
  let killTimer: NodeJS.Timeout | undefined
  let isReleased = false
  const stop = (reason: "timeout" | "cancelled"): void => {
    if (stopped !== undefined || isReleased) return
    const late = { ok: false, ...messages["script-timeout"].timedOut(call.timeoutMs) } as const
    stopped = reason === "timeout" ? late : cancelled
    child.send({ type: "abort", reason })
    killTimer = setTimeout(() => child.kill(), graceMs)
  }
  const cancel = (): void => stop("cancelled")
  const deadline = startDeadline(timeoutMs, () => stop("timeout"))
  call.signal.addEventListener("abort", cancel, { once: true })
  return {
    deadline,
    cancel,
    /** Stops watching. Returns the outcome if the call was stopped. */
    release: (): ScriptOutcome | undefined => {
      isReleased = true
      deadline.clear()
      clearTimeout(killTimer)
      call.signal.removeEventListener("abort", cancel)
      return stopped
    },
  }
}

export function describeInChild(
  child: ScriptChild,
  script: Omit<Extract<Order, { type: "describe" }>, "type">,
): Promise<ScriptDescription> {
  return new Promise((resolve) => {
    child.listen({
      onReport: (report) => {
        if (report.type !== "described") return
        child.listen(undefined)
        resolve(report.description)
      },
      onQuestion: () => refused(says.notCalled().message),
      onOutput: () => undefined,
      onEnd: ({ message }) => resolve({ ok: false, message }),
    })
    child.send({ type: "describe", ...script })
  })
}

export const cancelled: ScriptOutcome = { ok: false, ...messages.cancelled.run() }

function answer(question: ValueQuestion, call: ScriptCall): Answer {
  try {
    switch (question.type) {
      case "secret": {
        const refusal = call.secret(question.value)
        return refusal === undefined ? { ok: true, value: undefined } : refused(refusal)
      }
      case "environment": {
        const value = call.environment(question.api)
        return value === undefined ? refused(says.unknownApi(question.api).message) : { ok: true, value }
      }
      case "get":
      case "has": {
        const parsed = parsePathOnce(question.path)
        if (!parsed.ok) return refused(says.path(question.path, parsed.offset + 1).message)
        const found = call.read(question.path)
        if (question.type === "has") return { ok: true, value: found.found }
        return { ok: true, value: found.found ? found.value : undefined }
      }
    }
  } catch {
    // The error's own message is about our internals.
    return refused(says.unreadableValue().message)
  }
}

const refused = (message: string): Answer => ({ ok: false, message })

/** The log of one call, up to a limit. An entry is left out whole, because a cut could show half a secret. */
function createCallLog(log: (text: string) => void) {
  let left = maxLoggedCharacters
  let isFull = false
  let isOver = false
  const collected = { stdout: [] as Buffer[], stderr: [] as Buffer[] }
  const sizes = { stdout: 0, stderr: 0 }
  const fill = (): void => {
    if (isFull || isOver) return
    isFull = true
    log(messages.log.full(maxLoggedCharacters).message)
  }
  const write = (text: string): void => {
    if (isFull || isOver) return
    left -= text.length
    if (left < 0) fill()
    else log(text)
  }
  return {
    write,
    fill,
    /** Collects direct writes to descriptor 1 or 2: by a program that the script started, or `fs.writeSync(1, …)`. */
    collect: (stream: "stdout" | "stderr", chunk: Buffer): void => {
      sizes[stream] += chunk.length
      if (sizes[stream] <= maxLoggedCharacters) collected[stream].push(chunk)
      else {
        collected[stream].length = 0
        fill()
      }
    },
    /** Writes the collected output, one entry per stream, and closes the log. */
    end: (): void => {
      for (const chunks of [collected.stdout, collected.stderr]) {
        const text = withoutCrashDump(Buffer.concat(chunks).toString()).replace(/\n$/, "")
        if (text !== "") write(text)
      }
      isOver = true
    },
  }
}

/** Removes V8's report of a full heap, which is pages of addresses. The outcome says what happened. */
function withoutCrashDump(text: string): string {
  const start = text.indexOf("\n<--- Last few GCs --->")
  return start === -1 ? text : text.slice(0, start)
}
