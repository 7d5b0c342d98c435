// Checks the known part of a request body against the operation's document.

import {
  type BodyType,
  type Finding,
  formatPath,
  isEqual,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonPointer,
  type JsonValue,
  kindOf,
  memberType,
  parsePathOnce,
  type PathSegments,
  resolveSegments,
  setPath,
  stepInto,
  suggest,
  unknownType,
  withReplacement,
  type ValueType,
} from "@callsheet/format"
import {
  bodyKindOf,
  hasRequestBody,
  missingBody,
  requestMediaType,
  requestBodyType,
  undocumentedBody,
} from "@callsheet/openapi"
import { areDisjoint, describeKinds, listValues } from "../types/describe-type.ts"
import { missingFiles } from "./check-instances.ts"
import { givenParam, type OperationCheck, type RequestCheck } from "./given-request.ts"
import { messages } from "../messages.ts"

/** Reports a missing or unexpected body, and missing, unknown or mistyped fields. */
export function checkBody(check: OperationCheck): void {
  const { target, operation, isNegative, typeOf, report } = check
  const saved = target.instance?.bodyType
  const { isKnown, body } = composeBody(check)
  if (!isKnown || (saved !== undefined && !readable.has(saved))) return
  const mediaType = givenParam(check, "header", "content-type")?.text
  const documented = requestBodyType(operation, mediaType)
  if (body === undefined) {
    if (documented?.required !== true || isNegative) return
    report(["request"], "value", messages["body-missing"].missing(missingBody(target)))
  } else if (documented !== undefined) {
    let findings = 0
    checkFields(body, documented.type, {
      // A form has only text, which may stand for a number.
      typeOf: bodyKindOf(documented.mediaType) === "json" ? typeOf : () => unknownType,
      isNegative,
      report: (pointer, finding) => {
        if (findings++ < MAX_FINDINGS) reportInBody(check, pointer, { severity: "warning", ...finding })
      },
    })
  } else if (!hasRequestBody(operation) && !isNegative) {
    reportInBody(check, [], messages["body-field-unknown"].undocumentedBody(undocumentedBody(target)))
  }
}

/** Reports missing files that overrides name. A missing file of a saved request is reported in its own file. */
export function checkSentFiles(check: RequestCheck): void {
  const { block, target } = check
  if (Object.keys(block.request.overrides?.body ?? {}).length === 0) return
  const mediaType = givenParam(check, "header", "content-type")?.text
  const documented = target.operation && requestMediaType(target.operation)
  const kind = mediaType === undefined ? documented?.kind : bodyKindOf(mediaType)
  if ((target.instance?.bodyType ?? kind) !== "multipart") return
  for (const { pointer, finding } of missingFiles(composeBody(check).body, "multipart", check.checkFile))
    reportInBody(check, pointer.slice(1), finding)
}

function reportInBody(check: RequestCheck, pointer: JsonPointer, finding: Finding): void {
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

const unknownBody = { isKnown: false, body: undefined }

/** Combines the saved body and its overrides. `isKnown` is false if the result depends on values at run time. */
export function composeBody({ block, target, report }: Pick<RequestCheck, "block" | "target" | "report">) {
  let body: JsonValue | undefined = target.instance?.body
  for (const [key, value] of Object.entries(block.request.overrides?.body ?? {})) {
    const path = parsePathOnce(key)
    if (!path.ok || goesThroughToken(body, path.segments)) return unknownBody
    const set = setPath(body, path.segments, value)
    if (!set.ok) {
      report(
        ["request", "overrides", "body", key],
        "key",
        messages["path-unresolved"].bodyPath(formatPath(path.segments), set.message),
      )
      return unknownBody
    }
    body = set.value
  }
  return { isKnown: true, body }
}

const readable: ReadonlySet<BodyType> = new Set(["json", "form"])

/** Returns whether the path leads through a placeholder, whose value may be an object. */
function goesThroughToken(body: JsonValue | undefined, path: PathSegments): boolean {
  let here = body
  for (const segment of path) {
    if (typeof here === "string" && here.includes("{{")) return true
    here = stepInto(here, segment)
  }
  return false
}

const MAX_FINDINGS = 50

interface FieldsCheck {
  readonly typeOf: (value: JsonValue) => ValueType
  /** True if the workflow expects a rejection. Only misspelled names are then reported. */
  readonly isNegative: boolean
  /** Reports a finding. `pointer` is relative to the body. */
  readonly report: (pointer: JsonPointer, finding: Finding) => void
}

interface Work {
  readonly value: JsonValue
  readonly type: ValueType
  readonly pointer: JsonPointer
}

function checkFields(body: JsonValue, bodyType: ValueType, check: FieldsCheck): void {
  const work: Work[] = [{ value: body, type: bodyType, pointer: [] }]
  for (let item = work.pop(); item !== undefined; item = work.pop()) {
    const { value, type, pointer } = item
    if (type.kinds === undefined || pointer.length > MAX_DEPTH) continue
    const given = containerType(value) ?? check.typeOf(value)
    if (!check.isNegative && areDisjoint(given, type)) check.report(pointer, wrongType(item, given))
    else if (isJsonObject(value)) work.push(...checkObject({ ...item, value }, check))
    else if (isJsonArray(value)) work.push(...itemsOf({ ...item, value }))
    else if (!check.isNegative) checkValue(item, given.values, check)
  }
}

type ContainerType = Pick<ValueType, "kinds" | "values">

const containerType = (value: JsonValue): ContainerType | undefined =>
  isJsonArray(value) || isJsonObject(value) ? { kinds: new Set([kindOf(value)]) } : undefined

/** The maximum depth: schemas may refer to themselves, and bodies nest without limit. */
const MAX_DEPTH = 200

function checkObject(
  { value, type, pointer }: Work & { readonly value: JsonObject },
  { isNegative, report }: FieldsCheck,
): readonly Work[] {
  const work: Work[] = []
  for (const [name, inner] of Object.entries(value)) {
    const step = type.step(name)
    const at = [...pointer, name]
    if (step.leads === "to") work.push({ value: inner, type: step.type, pointer: at })
    // Some documents require properties that they don't describe.
    else if (!type.required().includes(name)) {
      const hint = suggest(name, type.names())
      if (step.leads === "perhaps" && hint === undefined) continue
      const finding = messages["body-field-unknown"].unknown(formatPath(at), hint)
      report(at, withReplacement(finding, { is: "key", from: name, known: type.names() }))
    }
  }
  for (const name of isNegative ? [] : type.required()) {
    if (Object.hasOwn(value, name)) continue
    report(pointer, messages["body-field-missing"].missing(formatPath([...pointer, name])))
  }
  return work
}

const itemsOf = ({
  value,
  type,
  pointer,
}: Work & { readonly value: readonly JsonValue[] }): readonly Work[] =>
  value.flatMap((inner, index) => {
    const item = memberType(type, String(index))
    return item === undefined ? [] : [{ value: inner, type: item, pointer: [...pointer, index] }]
  })

function checkValue({ value, type, pointer }: Work, given: ValueType["values"], { report }: FieldsCheck) {
  if (given === undefined || type.values === undefined) return
  if (given.some((own) => type.values?.some((known) => isEqual(own, known)))) return
  const suggestion = typeof value === "string" ? suggest(value, textsIn(type.values)) : undefined
  const { wrongValue } = messages["body-field-type"]
  const [received, documented] = [listValues(given, "or"), listValues(type.values, "and")]
  const finding = wrongValue(formatPath(pointer), received, documented, suggestion)
  const known = textsIn(type.values)
  const isText = typeof value === "string" && suggestion !== undefined
  report(pointer, isText ? withReplacement(finding, { is: "value", from: value, known }) : finding)
}

const textsIn = (values: readonly JsonValue[]): readonly string[] =>
  values.filter((value) => typeof value === "string")

const wrongType = ({ type, pointer }: Work, given: ContainerType): Finding =>
  messages["body-field-type"].wrongType(formatPath(pointer), describeKinds(given), describeKinds(type))
