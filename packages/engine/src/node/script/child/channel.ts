// The child's end of fd 4. Calls block, so that scripts read values synchronously and no report is lost in a crash.

import { readSync, writeSync } from "node:fs"
import { deserialize } from "node:v8"
import type { JsonValue } from "@callsheet/format"
import { encodeFrame, lengthBytes, reportsFd, type Answer, type Question, type Report } from "../protocol.ts"

export type Channel = ReturnType<typeof createChannel>

export function createChannel() {
  const pause = new Int32Array(new SharedArrayBuffer(4))
  /** Retries if the descriptor is non-blocking and has no data or space. Exits if the runner is gone. */
  const retrying = (transfer: () => number): number => {
    for (;;) {
      try {
        return transfer()
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EAGAIN") process.reallyExit(1)
        Atomics.wait(pause, 0, 0, 1)
      }
    }
  }
  const writeAll = (bytes: Buffer): void => {
    let at = 0
    while (at < bytes.length) at += retrying(() => writeSync(reportsFd, bytes, at, bytes.length - at))
  }
  const firstBytes = Buffer.allocUnsafe(64 * 1024)
  const readUntil = (bytes: Buffer, from: number, to: number): number => {
    let at = from
    while (at < to) {
      const count = retrying(() => readSync(reportsFd, bytes, at, bytes.length - at, null))
      if (count === 0) process.reallyExit(1)
      at += count
    }
    return at
  }
  /** Reads the answer to a question. Nothing else arrives here, and usually one read is enough. */
  const readAnswer = (): Answer => {
    const count = readUntil(firstBytes, 0, lengthBytes)
    const end = lengthBytes + firstBytes.readUInt32LE(0)
    if (end <= firstBytes.length) {
      readUntil(firstBytes, count, end)
      return deserialize(firstBytes.subarray(lengthBytes, end)) as Answer
    }
    const bytes = Buffer.allocUnsafe(end)
    firstBytes.copy(bytes, 0, 0, count)
    readUntil(bytes, count, end)
    return deserialize(bytes.subarray(lengthBytes)) as Answer
  }
  return {
    /** Throws if the report nests too deep to be written. */
    report: (report: Report): void => writeAll(encodeFrame(report)),
    /** Asks the runner and waits. If the runner refuses, throws an `Error` with its message. */
    ask: (question: Question): JsonValue | undefined => {
      writeAll(encodeFrame(question))
      const answer = readAnswer()
      if (!answer.ok) throw new Error(answer.message)
      return answer.value
    },
  }
}

declare global {
  // oxlint-disable-next-line typescript/no-namespace
  namespace NodeJS {
    interface Process {
      /** Exits at once, without calling listeners. */
      reallyExit(code: number): never
    }
  }
}
