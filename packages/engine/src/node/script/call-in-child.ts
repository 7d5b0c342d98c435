// Runs one call in a child: sends the order, answers questions, enforces the timeout, and reports an early exit.

import type { ScriptDescription } from "@callsheet/language"
import { parsePathOnce } from "@callsheet/format"
import type { ScriptCall, ScriptCheck, ScriptOutcome } from "../../ports.ts"
import { messages } from "../../messages.ts"
import { maxLoggedCharacters } from "./child/capture-output.ts"
import { blockEnded, type ScriptChild } from "./child-process.ts"
import type { Answer, Order, Report, ValueQuestion } from "./protocol.ts"

/** The time in milliseconds between the abort signal and the end of a script's process. */
const graceMs = 50

const says = messages["script-error"]

interface CallResult {
  readonly outcome: ScriptOutcome
  /** False if the script has changed the child or left something running in it. */
  readonly isReusable: boolean
}

/** Runs a call in a child. `limited: false` turns off the time limit, because a debugger may pause the script. */
export function callInChild(child: ScriptChild, call: ScriptCall, limited: boolean): Promise<CallResult> {
  return new Promise((resolve) => {
    const log = createCallLog(call.log)
    const timeoutMs = limited ? call.timeoutMs : undefined
    let isOver = false

    const finish = async (outcome: ScriptOutcome, isReusable: boolean): Promise<void> => {
      if (isOver) return
      isOver = true
      const stopped = stopper.release()
      // Report a stopped process only when it has ended. A process that can't be reused may end later.
      if (stopped !== undefined) {
        child.kill()
        await child.ended
      }
      await child.settle()
      log.end()
      child.listen(undefined)
      resolve({ outcome: stopped ?? outcome, isReusable })
    }
    const onReport = (report: Report): void => {
      if (report.type === "log") log.write(report.text)
      else if (report.type === "log-full") log.fill()
      else if (report.type === "compiling") stopper.deadline.pause()
      else if (report.type === "compiled") stopper.deadline.resume()
      else if (report.type === "called") void finish(report.outcome, report.isReusable)
      else if (report.type === "running") stopper.place(report.file, report.line)
    }

    const stopper = startStopper(child, call, timeoutMs)
    child.listen({
      onReport,
      onQuestion: (question) => (isOver ? blockEnded : answer(question, call)),
      onOutput: (stream, chunk) => log.collect(stream, chunk),
      onEnd: (ending) => void finish({ ok: false, ...ending }, false),
    })
    if (call.signal.aborted) {
      stopper.cancel()
      return
    }
    const { kind, file, exportName, context, world, withheld } = call
    try {
      child.send({ type: "call", kind, file, exportName, context, world, withheld, timeoutMs })
    } catch {
      void finish({ ok: false, ...says.inputsTooLarge() }, true)
    }
  })
}

/** Stops a call at its timeout or when its signal aborts. Asks the child first, then kills it. */
function startStopper(child: ScriptChild, call: ScriptCall, timeoutMs: number | undefined) {
  let stopped: "timeout" | "cancelled" | undefined
  let running: string | undefined
  let killTimer: NodeJS.Timeout | undefined
  let isReleased = false
  const stop = (reason: "timeout" | "cancelled"): void => {
    if (stopped !== undefined || isReleased) return
    stopped = reason
    if (reason === "timeout") child.look()
    child.send({ type: "abort", reason })
    killTimer = setTimeout(() => child.kill(), graceMs)
  }
  const cancel = (): void => stop("cancelled")
  const deadline = startDeadline(timeoutMs, () => stop("timeout"))
  call.signal.addEventListener("abort", cancel, { once: true })
  const timedOut = (): ScriptOutcome => ({
    ok: false,
    ...messages["script-timeout"].timedOut(call.timeoutMs, running),
  })
  return {
    deadline,
    cancel,
    /** Takes note of the line that was running at the timeout. */
    place: (file: string | undefined, line: number): void => {
      running = file === undefined ? undefined : `${file}:${line}`
    },
    /** Stops watching. Returns an outcome if the call was stopped. */
    release: (): ScriptOutcome | undefined => {
      isReleased = true
      deadline.clear()
      clearTimeout(killTimer)
      call.signal.removeEventListener("abort", cancel)
      if (stopped === undefined) return undefined
      return stopped === "cancelled" ? cancelled : timedOut()
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

const cancelled: ScriptOutcome = { ok: false, ...messages.cancelled.run() }

function answer(question: ValueQuestion, call: ScriptCall): Answer | Promise<Answer> {
  try {
    switch (question.type) {
      case "subject":
        return { ok: true, value: call.subject(question.argument, question.text) }
      case "check":
        return answerCheck(question.check, call)
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
    // The error's message describes internals, so don't show it.
    return refused(says.unreadableValue().message)
  }
}

async function answerCheck(check: ScriptCheck, call: ScriptCall): Promise<Answer> {
  try {
    const verdict = await call.check(check)
    if (verdict.is === "refused") return refused(verdict.reason)
    return { ok: true, value: verdict.is === "failed" ? verdict.reason : undefined }
  } catch {
    return refused(says.unreadableValue().message)
  }
}

const refused = (message: string): Answer => ({ ok: false, message })

/** Creates the log of a call. Drops an entry that exceeds the limit: a cut could show half a secret. */
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
    /** Collects output that bypasses the streams, of a program the script started or of `fs.writeSync(1, …)`. */
    collect: (stream: "stdout" | "stderr", chunk: Buffer): void => {
      sizes[stream] += chunk.length
      if (sizes[stream] <= maxLoggedCharacters) collected[stream].push(chunk)
      else {
        collected[stream].length = 0
        fill()
      }
    },
    /** Writes the collected output as one entry per stream, and closes the log. */
    end: (): void => {
      for (const chunks of [collected.stdout, collected.stderr]) {
        const text = withoutCrashDump(Buffer.concat(chunks).toString()).replace(/\n$/, "")
        if (text !== "") write(text)
      }
      isOver = true
    },
  }
}

/** Removes V8's report of a full heap, which is pages of addresses. The outcome names the cause. */
function withoutCrashDump(text: string): string {
  const start = text.indexOf("\n<--- Last few GCs --->")
  return start === -1 ? text : text.slice(0, start)
}

const longestPauseMs = 60_000

/**
 * Starts a time limit that can pause and continue. Calls `onEnd` at most once. Without `timeoutMs`, the time is
 * unlimited.
 */
export function startDeadline(timeoutMs: number | undefined, onEnd: () => void) {
  if (timeoutMs === undefined)
    return { pause: () => undefined, resume: () => undefined, clear: () => undefined }
  let leftMs = timeoutMs
  let since = performance.now()
  let timer = setTimeout(onEnd, leftMs)
  let isPaused = false
  return {
    /** Pauses the limit until `resume`, for at most a minute. */
    pause: (): void => {
      if (isPaused) return
      isPaused = true
      clearTimeout(timer)
      leftMs -= performance.now() - since
      timer = setTimeout(onEnd, longestPauseMs)
    },
    resume: (): void => {
      if (!isPaused) return
      isPaused = false
      clearTimeout(timer)
      since = performance.now()
      timer = setTimeout(onEnd, Math.max(leftMs, 0))
    },
    clear: (): void => clearTimeout(timer),
  }
}
