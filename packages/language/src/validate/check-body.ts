// The body of a request, as far as the files tell, against what its operation documents.

import {
  formatPath,
  parsePathOnce,
  resolveSegments,
  setPath,
  unknownType,
  type BodyType,
  type Finding,
  type JsonPointer,
  type JsonValue,
  type PathSegments,
} from "@callsheet/format"
import {
  bodyKindOf,
  hasRequestBody,
  missingBody,
  requestBodyType,
  undocumentedBody,
} from "@callsheet/openapi"
import { checkBodyFields } from "./check-body-fields.ts"
import { givenParam, type OperationCheck } from "./given-request.ts"

/** Reports a body that is missing or that nothing takes, and fields of it that are missing, unknown or of another type. */
export function checkBody(check: OperationCheck): void {
  const { target, document, operation, isNegative, typeOf, report } = check
  const { isKnown, body } = composeBody(check)
  if (!isKnown) return
  const mediaType = givenParam(check, "header", "content-type")?.text
  const documented = requestBodyType(document, operation, mediaType)
  if (body === undefined) {
    if (documented?.required !== true || isNegative) return
    report(["request"], "value", {
      code: "body-missing",
      severity: "warning",
      message: missingBody(target),
      hint: "give it in request.overrides.body, or name a saved request",
    })
  } else if (documented !== undefined) {
    checkBodyFields({
      body,
      type: documented.type,
      // A form is text: a number may stand as one.
      typeOf: bodyKindOf(documented.mediaType) === "json" ? typeOf : () => unknownType,
      isNegative,
      report: (pointer, finding) => reportInBody(check, pointer, finding),
    })
  } else if (!hasRequestBody(document, operation) && !isNegative) {
    reportInBody(check, [], {
      code: "body-field-unknown",
      severity: "warning",
      message: undocumentedBody(target),
    })
  }
}

/** Points at the override that gives what is wrong, or at the saved request that does. */
function reportInBody(check: OperationCheck, pointer: JsonPointer, finding: Finding): void {
  const { block, target, report, reportSaved } = check
  const wanted = pointer.map(String)
  const overrides = Object.keys(block.request.overrides?.body ?? {})
  for (const key of overrides.toReversed()) {
    const path = parsePathOnce(key)
    if (!path.ok || path.segments.length > wanted.length) continue
    if (path.segments.every((segment, at) => segment === wanted[at])) {
      const inner = pointer.slice(path.segments.length)
      return report(["request", "overrides", "body", key, ...inner], placeOf(finding, inner), finding)
    }
  }
  const saved = target.instance?.body
  if (saved !== undefined && resolveSegments(saved, wanted).found)
    return reportSaved(["body", ...pointer], placeOf(finding, pointer), finding)
  report(overrides.length > 0 ? ["request", "overrides", "body"] : ["request"], "value", finding)
}

const placeOf = ({ code }: Finding, inner: JsonPointer): "key" | "value" =>
  code === "body-field-unknown" && inner.length > 0 ? "key" : "value"

/** `isKnown` is false of a body that is no JSON or form, or that only a run can compose. */
interface ComposedBody {
  readonly isKnown: boolean
  readonly body?: JsonValue | undefined
}

const unknownBody: ComposedBody = { isKnown: false }

/** The body as far as it stands in the files. */
function composeBody({ block, target, report }: OperationCheck): ComposedBody {
  const saved = target.instance
  if (saved?.bodyType !== undefined && !readable.has(saved.bodyType)) return unknownBody
  let body: JsonValue | undefined = saved?.body
  for (const [key, value] of Object.entries(block.request.overrides?.body ?? {})) {
    const path = parsePathOnce(key)
    if (!path.ok || goesThroughToken(body, path.segments)) return unknownBody
    const set = setPath(body, path.segments, value)
    if (!set.ok) {
      report(["request", "overrides", "body", key], "key", {
        code: "path-unresolved",
        message: `overrides.body: ${JSON.stringify(formatPath(path.segments))} cannot be set: ${set.message}`,
      })
      return unknownBody
    }
    body = set.value
  }
  return { isKnown: true, body }
}

const readable: ReadonlySet<BodyType> = new Set(["json", "form"])

/** Whether a token stands where the path walks: what it gives may be an object. */
function goesThroughToken(body: JsonValue | undefined, path: PathSegments): boolean {
  let here = body
  for (const segment of path) {
    if (typeof here === "string" && here.includes("{{")) return true
    const next = here === undefined ? undefined : resolveSegments(here, [segment])
    if (next?.found !== true) return false
    here = next.value
  }
  return false
}
