// Recognizes parameter values that certainly satisfy a simple schema. Most schemas are simple and then need no validator.

import { isJsonArray, isNumber, type JsonObject, type JsonValue } from "@callsheet/format"
import { member } from "../document/located.ts"
import type { ObjectPart, Part } from "../document/part.ts"
import { formats } from "../schema/validate/formats.ts"

/** Returns true if a string is certainly valid. An invalid or a valid string may give false. */
type TextTest = (text: string) => boolean

export interface PlainTests {
  /** Tests the value. Absent if the schema is too complex or describes a list. */
  readonly value?: TextTest
  /** Tests each item of a list. Absent if the schema limits the list itself. */
  readonly item?: TextTest
}

export function plainTests(schema: Part): PlainTests {
  const found = plainSchema(schema)
  if (found === undefined) return {}
  if (found.member("type") !== "array") {
    const test = scalarTest(found.value)
    return test === undefined ? {} : { value: test }
  }
  const items = found.inside("items")
  const isFree = listLimits.every((keyword) => found.member(keyword) === undefined)
  const inner = items && isFree ? plainSchema(items) : undefined
  const test = inner && scalarTest(inner.value)
  return test === undefined ? {} : { item: test }
}

const listLimits = ["minItems", "maxItems", "uniqueItems"]

/** Dereferences a schema. Returns undefined if it has keywords that this module doesn't handle. */
function plainSchema(schema: Part): ObjectPart | undefined {
  const isReference = schema.member("$ref") !== undefined
  // From 3.1 on, the siblings of a reference apply too.
  if (isReference && !schema.isOld && Object.keys(schema.value as JsonObject).length > 1) return undefined
  const found = schema.dereferenceObject()
  const keys = Object.keys(found?.value ?? {})
  return keys.every((key) => plainKeywords.has(key) || key.startsWith("x-")) ? found : undefined
}

const readKeywords = "type format enum minimum maximum minLength maxLength items".split(" ")
const annotations = "title description default example examples deprecated $comment externalDocs xml".split(
  " ",
)
/** The keywords that don't restrict the value. In 2.0, a schema has keywords of its parameter. `nullable` only allows more. */
const ofParameters = "name in required collectionFormat allowEmptyValue nullable".split(" ")

const plainKeywords: ReadonlySet<string> = new Set(
  [readKeywords, listLimits, annotations, ofParameters].flat(),
)

function scalarTest(schema: JsonObject): TextTest | undefined {
  const { enum: allowed, type, format } = schema
  const limits = readLimits(schema)
  if (limits === undefined || (allowed !== undefined && !isJsonArray(allowed))) return undefined
  // Tests look up only strings and numbers.
  const values = new Set(allowed)
  const isAllowed = (value: JsonValue): boolean => allowed === undefined || values.has(value)
  const { holds = () => true } = (typeof format === "string" ? formats.get(format) : undefined) ?? {}
  switch (type) {
    case "string":
      return (text) => isOfLength(text, limits) && holds(text) && isAllowed(text)
    case "boolean":
      return allowed === undefined ? (text) => text === "true" || text === "false" : undefined
    case "integer":
    case "number": {
      const isWritten = type === "integer" ? isShortInteger : isShortNumber
      return (text) => {
        if (!isWritten(text)) return false
        const value = Number(text)
        return value >= limits.minimum && value <= limits.maximum && holds(value) && isAllowed(value)
      }
    }
    default:
      return undefined
  }
}

/** Returns whether text is an integer that a double represents exactly. */
const isShortInteger = (text: string): boolean => /^(?:0|-?[1-9][0-9]{0,14})$/.test(text)
const isShortNumber = (text: string): boolean => /^-?(?:0|[1-9][0-9]{0,6})(?:\.[0-9]{1,7})?$/.test(text)

type Limits = NonNullable<ReturnType<typeof readLimits>>

function readLimits(schema: JsonObject) {
  const limit = (name: string, otherwise: number): number => {
    const value = member(schema, name)
    if (value === undefined) return otherwise
    return isNumber(value) && Math.abs(Number(value)) <= 1e15 ? Number(value) : NaN
  }
  const limits = {
    minimum: limit("minimum", -Infinity),
    maximum: limit("maximum", Infinity),
    minLength: limit("minLength", 0),
    maxLength: limit("maxLength", Infinity),
  }
  return Object.values(limits).some(Number.isNaN) ? undefined : limits
}

/** Checks the limits of a length in characters. A character is one or two code units. */
const isOfLength = ({ length }: string, { minLength, maxLength }: Limits): boolean =>
  length <= maxLength && (minLength === 0 || length >= 2 * minLength || (minLength === 1 && length > 0))
