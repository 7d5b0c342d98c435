// What of a request block is the same in every iteration: its target, its parameters as written, what the document says.

import {
  parametersOf,
  requestMediaType,
  securityOf,
  type BodyKind,
  type Parameter,
  type SecurityScheme,
} from "@callsheet/openapi"
import {
  valueStrings,
  type JsonValue,
  type Overrides,
  type Params,
  type RequestBlock,
} from "@callsheet/format"
import type { PlannedApi } from "../plan.ts"
import type { Target } from "../target.ts"
import { joinParams, type ParamTexts } from "./expand-request.ts"
import type { BuiltRequest } from "./build-request.ts"

export interface PreparedRequest {
  readonly target: Target
  readonly texts: ParamTexts
  readonly parameters: readonly Parameter[]
  readonly security: readonly (readonly SecurityScheme[])[]
  readonly documented: { readonly mediaType: string; readonly kind: BodyKind } | undefined
  /** Whether no token stands anywhere in it: then it is built once. */
  readonly isConstant: boolean
  built?: BuiltRequest
}

export function prepareRequest(block: RequestBlock, api: PlannedApi, target: Target): PreparedRequest {
  const { overrides } = block.request
  const { instance, operation } = target
  // A file may change while the run goes on; it is read each time.
  const readsFiles = instance?.bodyType === "file" || instance?.bodyType === "multipart"
  const known =
    operation === undefined || api.document === undefined ? undefined : { document: api.document, operation }
  return {
    target,
    texts: joinParams(instance?.params, overrides?.params),
    parameters: known === undefined ? [] : parametersOf(known.document, known.operation),
    security: known === undefined ? [] : securityOf(known.document, known.operation),
    documented: known === undefined ? undefined : requestMediaType(known.document, known.operation),
    isConstant:
      ![instance?.params, instance?.body, overrides?.params, overrides?.body].some(changes) && !readsFiles,
  }
}

const changes = (value: Params | Overrides["body"] | JsonValue | undefined): boolean =>
  value !== undefined && valueStrings(value as JsonValue, []).some(({ text }) => text.includes("{{"))
