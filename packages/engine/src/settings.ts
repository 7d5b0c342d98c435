// What was asked for -> what is used: every default of a run in one place.

import { workflowShape, type OnFailure, type Workflow } from "@callsheet/format"
import type { SessionOptions } from "./session-options.ts"

export interface RunSettings {
  /** Requests and iterations that may be under way at once. */
  readonly concurrency: number
  readonly onFailure: OnFailure
  /** `--timeout`, over every other time-out of a request. */
  readonly timeoutMs?: number
  readonly maxResponseBytes: number
  readonly seed?: number
  /** Whether events carry headers and bodies of every exchange. */
  readonly exchanges: boolean
  /** Whether events say what is documented, and what is answered of it. */
  readonly coverage: boolean
}

export const defaultConcurrency = 32
export const defaultRequestTimeoutMs = 30_000
const defaultMaxResponseBytes = 50 * 1024 * 1024

export function settle(options: SessionOptions, workflow: Workflow): RunSettings {
  return {
    concurrency: options.concurrency ?? defaultConcurrency,
    onFailure: options.onFailure ?? workflow.onFailure ?? workflowShape.fields.onFailure.default,
    ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
    maxResponseBytes: options.maxResponseBytes ?? defaultMaxResponseBytes,
    ...(options.seed === undefined ? {} : { seed: options.seed }),
    exchanges: readsExchanges(options),
    coverage: options.coverage ?? false,
  }
}

/** Whether a listener reads headers, bodies and values that did not fail. */
export const readsExchanges = ({ exchanges = true }: SessionOptions): boolean => exchanges
