// The protocol between the runner and a script process. A frame is a length, then V8's own serialization, which
// supports big integers. Orders go to the child on fd 3; on fd 4 the child reports, and asks and waits for an answer.

import type { ScriptDescription } from "@callsheet/language"
import { deserialize, serialize } from "node:v8"
import type { JsonValue } from "@callsheet/format"
import type { ScriptContextData, ScriptKind, ScriptOutcome } from "../../ports.ts"

export const ordersFd = 3
export const reportsFd = 4

/** The child writes this to standard error before it ends itself because it uses too much memory. */
export const outOfMemoryMarker = "callsheet: out of memory"

/** The settings of a child, passed as JSON in its first argument. */
export interface ChildSettings {
  /** The project's root, absolute. */
  readonly root: string
  readonly parentPid: number
  /** The directory for compiled scripts; if absent, none are kept. */
  readonly cacheFolder?: string | undefined
  /** The resident memory at which the child ends itself. */
  readonly maxResidentBytes: number
  /** The port on which it waits for a debugger before it takes orders; 0 for any free port. */
  readonly inspectPort?: number | undefined
}

export interface CallOrder {
  readonly type: "call"
  readonly kind: ScriptKind
  readonly file: string
  readonly exportName: string
  /** Absent: no limit. */
  readonly timeoutMs?: number | undefined
  readonly context: ScriptContextData
}

export type Order =
  | CallOrder
  | { readonly type: "describe"; readonly file: string; readonly source: string }
  | { readonly type: "abort"; readonly reason: "timeout" | "cancelled" }

export type Report =
  | { readonly type: "ready" }
  /** The child waits for a debugger; without an address it found no port and ends. */
  | { readonly type: "inspecting"; readonly address?: string | undefined }
  | { readonly type: "log"; readonly text: string }
  | { readonly type: "log-full" }
  /** The compiler is working: its time doesn't count as the script's. */
  | { readonly type: "compiling" | "compiled" }
  | { readonly type: "exiting"; readonly code: number; readonly at: string }
  | { readonly type: "described"; readonly description: ScriptDescription }
  /** The call is over, and the run goes on while the child checks what the script has left behind. */
  | { readonly type: "called"; readonly outcome: ScriptOutcome }
  /** Comes next. A child that is not reusable was changed by the script and must be ended. */
  | { readonly type: "checked"; readonly reusable: boolean }

/** Asked whenever something is loaded, in a call or not, because one run sees one state of each file. */
export type SourceQuestion =
  | { readonly type: "source"; readonly file: string }
  /** Asks where an import leads: the process's own result, unless another process reported one earlier. */
  | {
      readonly type: "found"
      readonly importer: string
      readonly specifier: string
      readonly found?: string
    }

/** The child blocks until it is answered. */
export type Question = SourceQuestion | ValueQuestion

export type ValueQuestion =
  | { readonly type: "get" | "has"; readonly path: string }
  | { readonly type: "environment"; readonly api: string }
  /** Answered once the value is masked: nothing the script does next can show it. */
  | { readonly type: "secret"; readonly value: string | number | bigint }

export type Answer =
  | { readonly ok: true; readonly value: JsonValue | undefined }
  | { readonly ok: false; readonly message: string }

export const lengthBytes = 4
/** None of our frames is nearly as long; a longer one isn't ours. */
const maxFrameBytes = 1024 * 1024 * 1024

/** Throws if the value can't be serialized: nested too deeply, or too large. */
export function encodeFrame(message: Order | Report | Question | Answer): Buffer {
  const body = serialize(message)
  const frame = Buffer.allocUnsafe(lengthBytes + body.length)
  frame.writeUInt32LE(body.length, 0)
  body.copy(frame, lengthBytes)
  return frame
}

/** Joins frames from chunks of any size; yields each whole one. */
export function createFrameReader(): (chunk: Buffer) => Generator<unknown, void> {
  let chunks: Buffer[] = []
  let size = 0
  let wanted = lengthBytes
  return function* (chunk) {
    chunks.push(chunk)
    size += chunk.length
    if (size < wanted) return
    let bytes = chunks.length === 1 ? chunk : Buffer.concat(chunks, size)
    while (size >= wanted) {
      const end = lengthBytes + bytes.readUInt32LE(0)
      if (end > maxFrameBytes) throw new RangeError("a frame is too long")
      if (size >= end) {
        const body = bytes.subarray(lengthBytes, end)
        bytes = bytes.subarray(end)
        chunks = bytes.length === 0 ? [] : [bytes]
        size = bytes.length
        wanted = lengthBytes
        yield deserialize(body)
      } else {
        chunks = [bytes]
        wanted = end
      }
    }
  }
}
