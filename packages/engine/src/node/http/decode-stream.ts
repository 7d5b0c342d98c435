// Decodes the content codings of a stream chunk by chunk, so that no item waits for the end.

import * as zlib from "node:zlib"
import { messages } from "../../messages.ts"
import { brokenCoding, createDecoder, type Coding } from "./decode-body.ts"
import type { Fault } from "./fault.ts"

export interface Decoders {
  /** Returns false if the caller should wait for `onDrain` before it writes more. */
  readonly write: (chunk: Uint8Array) => boolean
  readonly end: () => void
  readonly close: () => void
}

interface Sink {
  readonly onBytes: (bytes: Uint8Array) => void
  readonly onEnd: () => void
  readonly onFault: (fault: Fault) => void
  readonly onDrain: () => void
}

/** Opens one decoder per coding, in the order of decoding. The sink receives nothing after `close`. */
export function openDecoders([coding, ...rest]: readonly Coding[], sink: Sink): Decoders {
  if (coding === undefined)
    return {
      write: (chunk) => {
        sink.onBytes(chunk)
        return true
      },
      end: sink.onEnd,
      close: () => undefined,
    }
  let decoder: ReturnType<typeof createDecoder>
  const next = openDecoders(rest, { ...sink, onDrain: () => decoder?.resume() })
  const open = (first: Uint8Array): typeof decoder => {
    const created = createDecoder(zlib, coding, first)
    if (created === undefined) sink.onFault(messages["request-failed"].unsupportedCoding(coding))
    created?.on("data", (chunk: Buffer) => {
      if (!next.write(chunk)) created.pause()
    })
    created?.on("drain", sink.onDrain)
    created?.on("end", next.end)
    created?.on("error", (error: NodeJS.ErrnoException) => sink.onFault(brokenCoding(coding, error)))
    return created
  }
  return {
    write: (chunk) => {
      decoder ??= open(chunk)
      return decoder === undefined || decoder.destroyed || decoder.write(chunk)
    },
    // Some servers name a coding even for an empty body.
    end: () => (decoder === undefined ? next.end() : void decoder.end()),
    close: () => {
      decoder?.destroy()
      next.close()
    },
  }
}
