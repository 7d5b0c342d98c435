// The template of a request block: the parts of its request that are the same in every iteration.

import type { Target } from "@callsheet/language"
import {
  parsePathTemplate,
  requestMediaType,
  securityOf,
  writerOf,
  type BaseUrl,
  type BodyKind,
  type PathTemplate,
  type SecurityScheme,
} from "@callsheet/openapi"
import {
  parseTemplateOnce,
  valueStrings,
  type AnsweredOperation,
  type JsonValue,
  type Overrides,
  type Params,
  type RequestBlock,
  type TemplatePart,
} from "@callsheet/format"
import type { PlannedApi } from "../plan/plan.ts"
import type { SecretBase } from "../outlet/secret-base.ts"
import type { RequestAuth, WireRequest } from "../ports.ts"
import { isCredentialLocation, type Credential } from "./credentials.ts"
import { joinParams, type ParamText, type ParamTexts } from "./expand-request.ts"

export interface RequestTemplate {
  readonly target: Target
  readonly pathTemplate: PathTemplate
  readonly texts: ParamTexts
  readonly security: readonly (readonly SecurityScheme[])[]
  /** True if a scheme may need more than a fixed credential. */
  readonly usesAuth: boolean
  readonly documented: { readonly mediaType: string; readonly kind: BodyKind } | undefined
  /** True if the request contains no placeholders. It is then built only once. */
  readonly isConstant: boolean
  /** Set by the first request. Stays valid, because an API has one environment per run. */
  base?: RequestBase
  built?: BuiltRequest
  /** The operation as the event of the last response shows it. */
  answers?: AnsweredOperation
}

export interface RequestBase extends BaseUrl {
  readonly secret: SecretBase | undefined
}

export interface BuiltRequest {
  readonly wire: WireRequest
  /** The unmasked body as reports show it. */
  readonly bodyView?: JsonValue | undefined
  readonly bodyText?: (() => string) | undefined
  /** JSON pointers to the secret parameters, in lowercase: `/query/key`. */
  readonly secretParams: ReadonlySet<string>
  readonly credentials: readonly Credential[]
  /** Set if the request is authorized when it is sent. */
  readonly auth?: RequestAuth | undefined
}

export function createRequestTemplate(block: RequestBlock, api: PlannedApi, found: Target): RequestTemplate {
  const { path, tokens } = openPath(found.path)
  const target = { ...found, path }
  const { overrides } = block.request
  const { instance, operation } = target
  // A file may change during the run, so read it for each request.
  const readsFiles = instance?.bodyType === "file" || instance?.bodyType === "multipart"
  const texts = joinParams(instance?.params, overrides?.params, (location, name) => ({
    writer: operation && writerOf(operation, { in: location, name }),
    isCredential: isCredentialLocation(api.document, location, name),
  }))
  const security = operation === undefined ? [] : securityOf(operation)
  return {
    target,
    pathTemplate: parsePathTemplate(path),
    texts: tokens.length === 0 ? texts : { ...texts, path: [...texts.path, ...tokens] },
    security,
    usesAuth: security.some((schemes) => schemes.some(needsAuth)),
    documented: operation && requestMediaType(operation),
    isConstant:
      tokens.length === 0 &&
      ![instance?.params, instance?.body, overrides?.params, overrides?.body].some(changes) &&
      !readsFiles,
  }
}

const needsAuth = (scheme: SecurityScheme): boolean =>
  scheme.kind === "digest" ||
  scheme.kind === "sigv4" ||
  (scheme.kind === "bearer" && scheme.oauth !== undefined)

/** Turns the placeholders of a saved request's path into path parameters. */
function openPath(text: string): {
  readonly path: string
  readonly tokens: readonly ParamText[]
} {
  const template = parseTemplateOnce(text)
  if (!template.ok || !template.hasTokens) return { path: text, tokens: [] }
  const tokens: ParamText[] = []
  const path = template.parts.map((part) => {
    if (typeof part === "string") return part
    const source = sourceOf(part.inner)
    const name = /[{}]/.test(source) ? `token ${tokens.length + 1}` : source
    tokens.push({ name, text: `{{${source}}}`, writer: undefined, isCredential: false })
    return `{${name}}`
  })
  return { path: path.join(""), tokens }
}

const sourceOf = (parts: readonly TemplatePart[]): string =>
  parts.map((part) => (typeof part === "string" ? part : `{{${sourceOf(part.inner)}}}`)).join("")

const changes = (value: Params | Overrides["body"] | JsonValue | undefined): boolean =>
  value !== undefined && valueStrings(value as JsonValue, []).some(({ text }) => text.includes("{{"))
