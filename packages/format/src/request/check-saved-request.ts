// Parses and checks a saved request.

import type { JsonPointer } from "../json/pointer.ts"
import { describeType, isJsonArray, isJsonObject, type JsonValue } from "../json/value.ts"
import { messages } from "../messages.ts"
import { byPosition, hasErrors, type Finding } from "../problems.ts"
import { checkFile } from "../shape/check-file.ts"
import {
  any,
  boolean,
  defaulted,
  describedEnum,
  milliseconds,
  object,
  optional,
  required,
  string,
  textCheck,
  version,
  type TypeOf,
} from "../shape/shape.ts"
import type { SourceFile } from "../source.ts"
import { textStrings, valueStrings, type LiveString } from "../workflow/blocks/definition.ts"
import { paramsShape, paramStrings } from "../workflow/blocks/request.ts"
import { checkLiveString } from "../workflow/check-workflow.ts"
import { formatPlace } from "../workflow/path.ts"
import { isSingleToken, parseTemplate } from "../workflow/template.ts"

// RFC 9110 section 5.6.2 defines the characters of a method. A placeholder never matches, because it contains braces.
const { absoluteUrl, httpMethod, queryInPath, relativePath } = messages["field-value"]

const method = textCheck(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/u, "an HTTP method", httpMethod)

const path = textCheck(/^(?:\/|\{\{)[^?#]*$/u, 'a path that starts with "/", without "?" and "#"', (text) => {
  if (/^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(text)) return absoluteUrl()
  return text.startsWith("/") || text.startsWith("{{") ? queryInPath() : relativePath(text)
})

const bodyTypes = describedEnum({
  json: "Any JSON.",
  form: "An object. An array repeats its name.",
  multipart:
    'An object; `{ "file", "filename"?, "contentType"? }` is a file part; an array repeats its part.',
  text: "A string.",
  file: "The path of a file inside the project.",
})

export const savedRequestShape = object(
  {
    $schema: optional(string(), "JSON Schema for editors."),
    version: required(version, "File format version."),
    description: optional(string(), "Free text."),
    operation: optional(string(), "The operation: an `operationId`, or `METHOD /path`."),
    method: optional(string(method), "The HTTP method of `path`."),
    path: optional(
      string(path),
      "Path after the base URL. `{name}` is a path parameter. callsheet finds the documented operation by method and path.",
    ),
    params: optional(paramsShape, "Parameters by location and name."),
    body: optional(any, "The body. `bodyType` is its type."),
    bodyType: defaulted(bodyTypes, "Type of the body, which decides its encoding.", "json"),
    timeoutMs: optional(milliseconds(true), "Time limit of the request, in milliseconds."),
    followRedirects: defaulted(boolean, "Follow redirects.", true),
  },
  {
    rule: "exactlyOneWith",
    of: ["operation", "path"],
    companion: "method",
    because: "an operation already has a method",
  },
)

export type SavedRequest = TypeOf<typeof savedRequestShape>
export type BodyType = NonNullable<SavedRequest["bodyType"]>

/**
 * Reads and checks a saved request without its API. `request` is absent if there are errors. `plan` checks that the
 * operation exists.
 */
export function checkSavedRequest(source: SourceFile) {
  const { value: request, problems, problemAt } = checkFile(source, savedRequestShape)
  // The checks below need a valid shape. Otherwise they would report the same errors again.
  if (request === undefined) return { request, problems: byPosition(problems) }
  const report: Report = (pointer, at, finding) => void problems.push(problemAt(pointer, at, finding))
  checkBody(request, report)
  const { path = "", params } = request
  for (const [, name = ""] of path.matchAll(/(?<=\/):([A-Za-z_]\w*)(?=\/|$)/g)) {
    const isSet = Object.hasOwn(params?.path ?? {}, name)
    report(["path"], "value", messages["field-value"].colonParameter(name, isSet))
  }
  for (const live of liveStringsOf(request)) {
    const finding = checkLiveString(live, () => live.pointer)
    if (finding !== undefined) report(live.pointer, "value", finding)
  }
  return { request: hasErrors(problems) ? undefined : request, problems: byPosition(problems) }
}

type Report = (pointer: JsonPointer, at: "key" | "value", finding: Finding) => void

const bodyHints: { readonly [B in BodyType]?: string } = {
  form: "to send a field more than once, give it an array of values",
  multipart: `a file is { "file": "path/in/the/project" }; a part that repeats has an array`,
  file: "write the path of a file inside the project",
}

function checkBody({ body, bodyType = "json" }: SavedRequest, report: Report): void {
  if (body === undefined || bodyType === "json" || isToken(body)) return
  const wantsObject = bodyType === "form" || bodyType === "multipart"
  if (wantsObject ? !isJsonObject(body) : typeof body !== "string") {
    const expected = wantsObject ? "an object" : "a string"
    const { bodyType: wrongBody } = messages["field-type"]
    report(["body"], "value", wrongBody(describeType(body), bodyType, expected, bodyHints[bodyType]))
  } else if (bodyType === "multipart" && isJsonObject(body)) {
    for (const [name, part] of Object.entries(body)) {
      if (isJsonArray(part)) part.forEach((one, index) => checkPart(one, ["body", name, index], report))
      else checkPart(part, ["body", name], report)
    }
  }
}

/** Returns whether a value is a single token, whose type is known only at run time. */
function isToken(value: JsonValue): boolean {
  if (typeof value !== "string") return false
  const template = parseTemplate(value)
  return template.ok && isSingleToken(template.parts)
}

const partFields = ["file", "filename", "contentType"]

function checkPart(part: JsonValue, pointer: JsonPointer, report: Report): void {
  if (!isJsonObject(part) || !Object.hasOwn(part, "file")) return
  for (const [field, value] of Object.entries(part)) {
    const at = [...pointer, field]
    if (!partFields.includes(field)) {
      report(at, "key", messages["field-unknown"].filePart(formatPlace(pointer), field))
    } else if (typeof value !== "string") {
      const finding = messages["field-type"].wrongType(formatPlace(at), describeType(value), "a string")
      report(at, "value", finding)
    }
  }
}

/** Returns every string of a saved request that may contain tokens. */
export function liveStringsOf(request: SavedRequest): readonly LiveString[] {
  const { description, operation, path, params, body } = request
  return [
    ...textStrings({ description, operation, path }),
    ...paramStrings(params, ["params"]),
    ...valueStrings(body, ["body"]),
  ]
}
