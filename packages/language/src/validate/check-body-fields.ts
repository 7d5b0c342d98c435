// A request body, as far as it stands in the files, against the type that its operation documents.

import {
  formatPath,
  isEqual,
  isJsonArray,
  isJsonObject,
  suggest,
  type Finding,
  type JsonPointer,
  type JsonValue,
  type ValueType,
} from "@callsheet/format"
import { listValues } from "./list-values.ts"
import { describeKinds } from "../types/describe-type.ts"

export interface BodyCheck {
  readonly body: JsonValue
  readonly type: ValueType
  /** The type of a value in which tokens may stand. */
  readonly typeOf: (value: JsonValue) => ValueType
  /** Whether the request is meant to be refused: then only misspelt names are said. */
  readonly isNegative: boolean
  /** `pointer` from the body. */
  readonly report: (pointer: JsonPointer, finding: Finding) => void
}

interface Work {
  readonly value: JsonValue
  readonly type: ValueType
  readonly pointer: JsonPointer
}

/** More than this of one body helps nobody. */
const MAX_FINDINGS = 50

/** Reports fields that are missing, not documented, or of another type. All are warnings. */
export function checkBodyFields(check: BodyCheck): void {
  const work: Work[] = [{ value: check.body, type: check.type, pointer: [] }]
  let findings = 0
  const report = (pointer: JsonPointer, finding: Finding): void => {
    if (findings++ < MAX_FINDINGS) check.report(pointer, { severity: "warning", ...finding })
  }
  for (let item = work.pop(); item !== undefined; item = work.pop()) {
    if (item.type.kinds === undefined || item.pointer.length > MAX_DEPTH) continue
    const { value } = item
    const given = isContainer(value) ? containerType(value) : check.typeOf(value)
    if (!check.isNegative && isNeither(given.kinds, item.type.kinds))
      report(item.pointer, wrongType(item, given))
    else if (isJsonObject(value)) checkObject({ ...item, value }, { check, work, report })
    else if (isJsonArray(value)) pushItems({ ...item, value }, work)
    else if (!check.isNegative) checkValue(item, given.values, report)
  }
}

type Kinds = ValueType["kinds"]

const isNeither = (given: Kinds, documented: Kinds): boolean =>
  given !== undefined && documented !== undefined && [...given].every((kind) => !documented.has(kind))

const isContainer = (value: JsonValue): boolean => typeof value === "object" && value !== null

/** What is in it is looked at by itself. */
const containerType = (value: JsonValue): Pick<ValueType, "kinds" | "values"> =>
  isJsonArray(value) ? { kinds: arrayKinds } : { kinds: objectKinds }
const arrayKinds: Kinds = new Set(["array"])
const objectKinds: Kinds = new Set(["object"])

/** Schemas may refer to themselves, and a body may nest as deep as it likes. */
const MAX_DEPTH = 200

interface Run {
  readonly check: BodyCheck
  readonly work: Work[]
  readonly report: (pointer: JsonPointer, finding: Finding) => void
}

function checkObject(
  { value, type, pointer }: Work & { readonly value: Readonly<Record<string, JsonValue>> },
  { check, work, report }: Run,
): void {
  for (const [name, inner] of Object.entries(value)) {
    const step = type.step(name)
    const at = [...pointer, name]
    if (step.leads === "to") work.push({ value: inner, type: step.type, pointer: at })
    // Some documents require what they do not describe.
    else if (!type.required().includes(name)) {
      const hint = suggest(name, type.names())
      if (step.leads === "perhaps" && hint === undefined) continue
      report(at, {
        code: "body-field-unknown",
        message: `the body documents no field ${JSON.stringify(formatPath(at))}`,
        hint,
      })
    }
  }
  if (check.isNegative) return
  for (const name of type.required()) {
    if (Object.hasOwn(value, name)) continue
    report(pointer, {
      code: "body-field-missing",
      message: `the body lacks the required field ${JSON.stringify(formatPath([...pointer, name]))}`,
    })
  }
}

function pushItems(
  { value, type, pointer }: Work & { readonly value: readonly JsonValue[] },
  work: Work[],
): void {
  value.forEach((inner, index) => {
    const step = type.step(String(index))
    if (step.leads === "to") work.push({ value: inner, type: step.type, pointer: [...pointer, index] })
  })
}

function checkValue({ value, type, pointer }: Work, given: ValueType["values"], report: Run["report"]): void {
  if (given === undefined || type.values === undefined) return
  if (given.some((own) => type.values?.some((known) => isEqual(own, known)))) return
  report(pointer, {
    code: "body-field-type",
    message: `${place(pointer)} is none of the documented values: ${listValues(type.values)}`,
    hint: typeof value === "string" ? suggest(value, type.values.map(String)) : undefined,
  })
}

const wrongType = ({ type, pointer }: Work, given: Pick<ValueType, "kinds">): Finding => ({
  code: "body-field-type",
  message: `${place(pointer)} is ${describeKinds(given)}; documented is ${describeKinds(type)}`,
})

const place = (pointer: JsonPointer): string =>
  pointer.length === 0 ? "the body" : `the field ${JSON.stringify(formatPath(pointer))}`
