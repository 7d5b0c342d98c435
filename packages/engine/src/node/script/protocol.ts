// The protocol between the runner and a script process. A frame is a length and V8's own serialization, which supports
// big integers. The child receives orders on fd 3. On fd 4, it sends reports, and asks questions and waits for the
// answers.

import type { ScriptDescription } from "@callsheet/language"
import { deserialize, serialize } from "node:v8"
import type { JsonValue } from "@callsheet/format"
import type { ScriptCheck, ScriptContextData, ScriptKind, ScriptOutcome, ScriptWorld } from "../../ports.ts"

export const ordersFd = 3
export const reportsFd = 4
/** The runner writes to it to ask for the line that is running. Another thread answers, because the script's may be busy. */
export const looksFd = 5

/** The child writes this to standard error before it ends itself because of its memory use. */
export const outOfMemoryMarker = "callsheet: out of memory"

/** The settings of a child, passed as JSON in its first argument. */
export interface ChildSettings {
  /** The absolute path of the project's root. */
  readonly root: string
  readonly parentPid: number
  /** The directory of compiled scripts. If absent, they aren't cached. */
  readonly cacheFolder?: string | undefined
  /** The limit on resident memory. The child ends itself if it uses more. */
  readonly maxResidentBytes: number
  /** The port on which to wait for a debugger before orders are accepted. 0 selects a free one. */
  readonly inspectPort?: number | undefined
  /** The `NODE_OPTIONS` that scripts see. Undefined if it isn't set. */
  readonly nodeOptions?: string | undefined
}

export interface CallOrder {
  readonly type: "call"
  readonly kind: ScriptKind
  readonly file: string
  readonly exportName: string
  /** If absent, the call has no time limit. */
  readonly timeoutMs?: number | undefined
  readonly context: ScriptContextData
  readonly world?: ScriptWorld | undefined
  readonly withheld?: ReadonlyMap<string, readonly string[]> | undefined
}

export type Order =
  | CallOrder
  | { readonly type: "describe"; readonly file: string; readonly source: string }
  | { readonly type: "abort"; readonly reason: "timeout" | "cancelled" }

export type Report =
  | { readonly type: "ready" }
  /** The child waits for a debugger. Without `address`, it found no port and ends. */
  | { readonly type: "inspecting"; readonly address?: string | undefined }
  | { readonly type: "log"; readonly text: string }
  | { readonly type: "log-full" }
  /** The compiler has started or finished. Its time doesn't count as the script's. */
  | { readonly type: "compiling" | "compiled" }
  /** The answer to a byte on `looksFd`. `file` is a path from the root, or absent if no module has started. */
  | { readonly type: "running"; readonly file?: string | undefined; readonly line: number }
  | { readonly type: "exiting"; readonly code: number; readonly at: string }
  | { readonly type: "described"; readonly description: ScriptDescription }
  /** The call is over. If the script has changed the child, it isn't reusable, and the runner ends it. */
  | { readonly type: "called"; readonly outcome: ScriptOutcome; readonly isReusable: boolean }

/** Asks for the text of a module, also outside calls, so that a run uses one version of each file. */
export type SourceQuestion =
  | { readonly type: "source"; readonly file: string }
  /**
   * Asks for the file of an import. The answer is `found`, unless another process has reported a different one earlier.
   */
  | {
      readonly type: "found"
      readonly importer: string
      readonly specifier: string
      readonly found?: string
    }

/** A question to the runner. The child blocks until it is answered. */
export type Question = SourceQuestion | ValueQuestion

export type ValueQuestion =
  | { readonly type: "get" | "has"; readonly path: string }
  | { readonly type: "environment"; readonly api: string }
  | {
      readonly type: "subject"
      readonly argument: JsonValue | undefined
      readonly text: string | undefined
    }
  | { readonly type: "check"; readonly check: ScriptCheck }
  /** Answered only after the value is masked, so that nothing the script does next can show it. */
  | { readonly type: "secret"; readonly value: string | number | bigint }

export type Answer =
  | { readonly ok: true; readonly value: JsonValue | undefined }
  | { readonly ok: false; readonly message: string }

export const lengthBytes = 4
/** The maximum length of a frame. Only another program writes a longer one. */
const maxFrameBytes = 1024 * 1024 * 1024

/** Encodes a message. Throws if it is too large or nests too deep. */
export function encodeFrame(message: Order | Report | Question | Answer): Buffer {
  const body = serialize(message)
  const frame = Buffer.allocUnsafe(lengthBytes + body.length)
  frame.writeUInt32LE(body.length, 0)
  body.copy(frame, lengthBytes)
  return frame
}

/** Joins chunks of any size and yields each complete frame. */
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
