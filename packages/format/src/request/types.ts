// A saved request as a typed value.

import type { JsonValue } from "../json/value.ts"
import type { Params } from "../workflow/types.ts"

export interface SavedRequest {
  readonly $schema?: string
  readonly version: 1
  readonly description?: string
  /** Either `operation`, or `method` and `path`. */
  readonly operation?: string
  readonly method?: string
  readonly path?: string
  readonly params?: Params
  readonly body?: JsonValue
  readonly bodyType?: BodyType
  readonly timeoutMs?: number
  readonly followRedirects?: boolean
}

export type BodyType = "json" | "form" | "multipart" | "text" | "file"
