// Applies every default of a run's options in one place.

import { workflowShape, type OnFailure, type Workflow } from "@callsheet/format"
import type { SessionOptions } from "./session-options.ts"

export interface RunSettings {
  /** Maximum requests and iterations at once. */
  readonly concurrency: number
  readonly onFailure: OnFailure
  /** `--timeout`, which overrides every other timeout of a request. */
  readonly timeoutMs: number | undefined
  readonly maxResponseBytes: number
  readonly seed: number | undefined
  /** True if events include headers and bodies of every exchange. */
  readonly exchanges: boolean
  /** True if events report what is documented and which of it was answered. */
  readonly coverage: boolean
}

export const defaultConcurrency = 32
export const defaultRequestTimeoutMs = 30_000
const defaultMaxResponseBytes = 50 * 1024 * 1024

export function settle(options: SessionOptions, workflow: Workflow): RunSettings {
  return {
    concurrency: options.concurrency ?? defaultConcurrency,
    onFailure: options.onFailure ?? workflow.onFailure ?? workflowShape.fields.onFailure.default,
    timeoutMs: options.timeoutMs,
    maxResponseBytes: options.maxResponseBytes ?? defaultMaxResponseBytes,
    seed: options.seed,
    exchanges: readsExchanges(options),
    coverage: options.coverage ?? false,
  }
}

/** Returns true if a listener reads headers, bodies and values that did not fail. */
export const readsExchanges = ({ exchanges = true }: SessionOptions): boolean => exchanges
