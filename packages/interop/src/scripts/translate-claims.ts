// Translates chains of assertions, such as `pm.expect(a).to.have.property("b").that.is.a("string")`, to checks of
// `ctx.expect`. A check that means something else than the chain for any value is refused.

import type { Expression } from "acorn"
import { isJsonArray, isJsonObject, ownOf } from "@callsheet/format"
import { numberCode } from "../export/code.ts"
import { js, type Js } from "../export/js-code.ts"
import { isJsonText, isSearchable } from "./body-text.ts"
import type { Chain } from "./chain.ts"
import type { Check } from "./checks.ts"
import { draft, joinDrafts, line, type Draft, type Line } from "./draft.ts"
import { isBodyText } from "./known-values.ts"
import { nativeChecks } from "./native-checks.ts"
import { asType, functionOf, nameOf, type AnyNode } from "./syntax.ts"
import { bodyTextOf } from "./translate-calls.ts"
import type { CodeWriter } from "./code-writer.ts"
import { refuse } from "./untranslatable.ts"
import { keyDraft, valueCode } from "./value-code.ts"
import { fillers } from "./vocabulary.ts"

/** A word of a chain with what the words before it say. */
interface Claim {
  readonly translator: CodeWriter
  readonly subject: Draft
  readonly given: readonly AnyNode[]
  readonly isNegated: boolean
  readonly isDeep: boolean
  readonly isNested: boolean
  /** True after `include` or `contain`, for keys and members. */
  readonly isPart: boolean
  readonly isAny: boolean
}

interface Claimed {
  readonly checks: readonly Draft[]
  /** What the following words are about. */
  readonly subject?: Draft
}

export function claimLines(translator: CodeWriter, chain: Chain): readonly Line[] {
  const { root, words } = chain
  const special = root.is === "response" ? responseClaims(translator, chain) : textClaims(translator, chain)
  if (special !== undefined) return special.map(line)
  if (root.is === "response") return refuse("this assertion")
  let subject = translator.expression(root.value)
  const flags = { isNegated: false, isDeep: false, isNested: false, isPart: false, isAny: false }
  const checks: Draft[] = []
  let isLength = false
  for (const { word, given } of words) {
    if (fillers.has(word) && given === undefined) continue
    if (given === undefined && setFlag(flags, word)) continue
    if ((word === "length" || word === "lengthOf") && given === undefined) {
      isLength = true
      continue
    }
    const about = { translator, ...flags, given: given ?? [] }
    const claimed = claimOf(
      word,
      { ...about, subject: isLength ? lengthOf(subject) : subject },
      given !== undefined,
    )
    checks.push(...claimed.checks)
    subject = claimed.subject ?? subject
  }
  return checks.length === 0 ? refuse("an assertion without a claim") : checks.map(line)
}

/** Remembers a word that changes the meaning of the following ones. */
function setFlag(
  flags: { isNegated: boolean; isDeep: boolean; isNested: boolean; isPart: boolean; isAny: boolean },
  word: string,
): boolean {
  switch (word) {
    case "not":
      return (flags.isNegated = true)
    case "deep":
      return (flags.isDeep = true)
    case "nested":
      return (flags.isNested = true)
    case "include":
    case "includes":
    case "contain":
    case "contains":
      return (flags.isPart = true)
    case "any":
      return (flags.isAny = true)
    case "all":
      return true
    default:
      return false
  }
}

const lengthOf = (subject: Draft): Draft => draft`${grouped(subject)}.length`

function claimOf(word: string, claim: Claim, isCall: boolean): Claimed {
  const property = isCall ? undefined : ownOf(properties, word)
  if (property !== undefined) return { checks: [property(claim)] }
  const call = isCall ? ownOf(calls, word) : undefined
  return call === undefined ? refuse(`the assertion ${word}`) : call(claim)
}

/** Adds parentheses around what is more than a name, a member or a call. */
function grouped(code: Draft): Draft {
  const isPlain = code.every(
    (part) => typeof part !== "string" || !/[\s!=<>]/.test(part) || /^[,:\s]*$/.test(part),
  )
  return isPlain ? code : draft`(${code})`
}

const nullable = (subject: Draft): Draft => draft`${grouped(subject)} ?? null`

/** Writes a check. `not` fails for a missing value, which is different from the value in the chain. */
const expectation = ({ subject, isNegated }: Pick<Claim, "subject" | "isNegated">, check: Draft): Draft =>
  isNegated
    ? draft`ctx.expect(${nullable(subject)}).not.${check}`
    : draft`ctx.expect(${subjectCode(subject)}).${check}`

/** A place with a name that callsheet knows is shown as its path. */
function subjectCode(subject: Draft): Draft {
  const holes = subject.filter((part) => part !== "")
  const [only] = holes
  // Text that a check gets as a literal could be a path.
  if (holes.length === 1 && typeof only === "object" && only.is === "text") return draft`String(${subject})`
  const isPath =
    holes.length === 1 && typeof only === "object" && only.is === "response" && only.path[0] !== "body"
  return isPath ? [{ is: "subject", path: only.path }] : subject
}

const truth = (condition: Draft, isNegated: boolean): Draft =>
  draft`ctx.expect(${condition}).toEqual(${isNegated ? js`false` : js`true`})`

const properties: Readonly<Record<string, (claim: Claim) => Draft>> = {
  true: (claim) => expectation(claim, draft`toEqual(true)`),
  false: (claim) => expectation(claim, draft`toEqual(false)`),
  null: ({ subject, isNegated }) =>
    isNegated
      ? truth(draft`${grouped(subject)} === null`, true)
      : draft`ctx.expect(${subject}).toEqual(null)`,
  undefined: ({ subject, isNegated }) => truth(draft`${grouped(subject)} === undefined`, isNegated),
  ok: ({ subject, isNegated }) => truth(draft`Boolean(${subject})`, isNegated),
  exist: ({ subject, isNegated }) =>
    isNegated
      ? draft`ctx.expect(${nullable(subject)}).toEqual(null)`
      : draft`ctx.expect(${nullable(subject)}).not.toEqual(null)`,
  empty: ({ subject, isNegated }) =>
    draft`ctx.expect(${[{ is: "helper", helper: "sizeOf" }]}(${subject}))${isNegated ? js`.not` : js``}.toEqual(0)`,
  finite: ({ subject, isNegated }) => truth(draft`Number.isFinite(${subject})`, isNegated),
  NaN: ({ subject, isNegated }) => truth(draft`Number.isNaN(${subject})`, isNegated),
}

const types: Readonly<Record<string, Js>> = {
  array: js`"array"`,
  string: js`"string"`,
  number: js`"number"`,
  boolean: js`"boolean"`,
  object: js`"object"`,
  null: js`"null"`,
}

type CallClaim = (claim: Claim) => Claimed

const calls: Readonly<Record<string, CallClaim>> = {
  ...named("equal equals eq", equality(false)),
  ...named("eql eqls", equality(true)),
  ...named("above gt greaterThan", comparison(js`toBeAtMost`, true)),
  ...named("below lt lessThan", comparison(js`toBeAtLeast`, true)),
  ...named("least gte greaterThanOrEqual", comparison(js`toBeAtLeast`, false)),
  ...named("most lte lessThanOrEqual", comparison(js`toBeAtMost`, false)),
  ...named("include includes contain contains", inclusion),
  ...named("a an", typeClaim),
  ...named("instanceof instanceOf", (claim) => {
    const name = nameOf(only(claim))
    if (name !== "Array") return refuse("instanceOf")
    return { checks: [expectation(claim, draft`toBeType("array")`)] }
  }),
  ...named("length lengthOf", (claim) => ({
    checks: [expectation(claim, draft`toHaveLength(${argument(claim)})`)],
  })),
  ...named("match matches", (claim) => ({
    checks: [expectation(claim, draft`toMatch(${argument(claim)})`)],
  })),
  string: (claim) => ({ checks: [expectation(claim, draft`toMatch(${argument(claim)})`)] }),
  oneOf: (claim) => {
    if (claim.isPart) return refuse("include.oneOf")
    const list = asType(only(claim), "ArrayExpression")?.elements
    if (
      list?.some((one) => one === null || asType(one, "Literal")?.raw === "null") === true &&
      claim.isNegated
    )
      return { checks: [truth(draft`${argument(claim)}.includes(${claim.subject})`, true)] }
    return { checks: [expectation(claim, draft`toBeOneOf(${argument(claim)})`)] }
  },
  within: (claim) => {
    const [low, high] = claim.given
    if (low === undefined || high === undefined || claim.given.length > 2) return refuse("within")
    const { expression } = claim.translator
    return { checks: [expectation(claim, draft`toBeBetween(${expression(low)}, ${expression(high)})`)] }
  },
  ...named("closeTo approximately", (claim) => {
    const [value, delta] = claim.given.map((one) => claim.translator.known.of(one))
    const isKnown = value?.is === "value" && delta?.is === "value"
    if (!isKnown || typeof value.value !== "number" || typeof delta.value !== "number")
      return refuse("closeTo")
    const [low, high] = [value.value - delta.value, value.value + delta.value]
    return { checks: [expectation(claim, draft`toBeBetween(${numberCode(low)}, ${numberCode(high)})`)] }
  }),
  ...named("satisfy satisfies", (claim) => {
    const called = functionOf(only(claim))
    if (called === undefined) return refuse("satisfy")
    const test = draft`Boolean([${claim.subject}].some(${claim.translator.expression(called)}))`
    return { checks: [truth(test, claim.isNegated)] }
  }),
  ...named("property ownProperty", propertyClaim),
  ...named("keys key", keysClaim),
  members: membersClaim,
}

function named(words: string, claim: CallClaim): Readonly<Record<string, CallClaim>> {
  return Object.fromEntries(words.split(" ").map((word) => [word, claim]))
}

/** Returns the only argument. Others may be a message, which callsheet doesn't need. */
function only({ given: [first, second, ...others], translator }: Claim): AnyNode {
  const isMessage = second === undefined || translator.known.text(second) !== undefined
  return first === undefined || !isMessage || others.length > 0 ? refuse("these arguments") : first
}

const argument = (claim: Claim): Draft => claim.translator.expression(only(claim))

const isUndefined = (node: AnyNode): boolean => asType(node, "Identifier")?.name === "undefined"

function equality(isEql: boolean): CallClaim {
  return (claim) => {
    const { subject, isNegated, isDeep, translator } = claim
    const value = only(claim)
    if (isUndefined(value)) return { checks: [truth(draft`${grouped(subject)} === undefined`, isNegated)] }
    if (asType(value, "Literal")?.raw === "null")
      return {
        checks: [
          isNegated
            ? truth(draft`${grouped(subject)} === null`, true)
            : expectation(claim, draft`toEqual(null)`),
        ],
      }
    // `equal` of an object is true only for the same object.
    if (!isEql && !isDeep && /^(?:Array|Object)Expression$/.test(value.type))
      return refuse("equal of an object")
    const expected = translator.expression(value)
    const isLiteral = translator.known.of(value)?.is === "value"
    return {
      checks: [
        expectation(claim, draft`toEqual(${isNegated && !isLiteral ? nullable(expected) : expected})`),
      ],
    }
  }
}

/** Writes a comparison. `isReversed` is for the check that is true for all other numbers. */
function comparison(check: Js, isReversed: boolean): CallClaim {
  return (claim) => {
    const { subject, isNegated } = claim
    const isNot = isNegated !== isReversed
    const expected = argument(claim)
    return {
      checks: [
        draft`ctx.expect(${isNot ? subject : subjectCode(subject)})${isNot ? js`.not` : js``}.${check}(${expected})`,
      ],
    }
  }
}

function inclusion(claim: Claim): Claimed {
  const { subject, isNegated, isDeep, translator } = claim
  const value = only(claim)
  const known = translator.known.of(value)
  if (known?.is === "value" && isJsonObject(known.value) && !isDeep) {
    if (isNegated) return refuse("not.include of an object")
    const entries = Object.entries(known.value)
    if (entries.length === 0 || entries.some(([, one]) => typeof one === "object" && one !== null))
      return refuse("include of an object")
    return {
      checks: entries.map(
        ([key, one]) => draft`ctx.expect(${grouped(subject)}${keyDraft(key)}).toEqual(${valueCode(one)})`,
      ),
    }
  }
  if (known?.is === "value" && typeof known.value === "object" && known.value !== null && !isDeep)
    return refuse("include of a list")
  // Neither a text nor a list contains anything if it is missing, so both fail.
  const not = isNegated ? js`.not` : js``
  return {
    checks: [
      draft`ctx.expect(${isNegated ? subject : subjectCode(subject)})${not}.toContain(${translator.expression(value)})`,
    ],
  }
}

function typeClaim(claim: Claim): Claimed {
  const { subject, isNegated, translator } = claim
  const name = translator.known.text(only(claim))?.toLowerCase()
  if (name === "undefined") return { checks: [truth(draft`${grouped(subject)} === undefined`, isNegated)] }
  const type = name === undefined ? undefined : ownOf(types, name)
  if (type === undefined) return refuse(`the type ${name ?? ""}`)
  if (name === "null" && isNegated) return { checks: [truth(draft`${grouped(subject)} === null`, true)] }
  return { checks: [expectation(claim, draft`toBeType(${type})`)] }
}

function propertyClaim({ translator, subject, given, isNegated, isNested, isDeep }: Claim): Claimed {
  const [name, value] = given
  const known = translator.known.of(name)
  const written = known?.is === "value" ? known.value : undefined
  if (typeof written !== "string" && typeof written !== "number") return refuse("this property")
  const keys = isNested
    ? String(written)
        .split(/[.[\]]+/)
        .filter((key) => key !== "")
    : [String(written)]
  const holder = keys
    .slice(0, -1)
    .reduce<Draft>((object, key) => draft`${object}${keyDraft(key)}`, grouped(subject))
  const key = keys.at(-1) ?? ""
  const inner = draft`${holder}${keyDraft(key)}`
  const exists = truth(draft`${translator.text(key)} in ${holder}`, isNegated)
  if (value === undefined) return { checks: [exists], subject: inner }
  if (!isDeep && /^(?:Array|Object)Expression$/.test(value.type)) return refuse("property with an object")
  const expected = translator.expression(value)
  const check = expectation(
    { subject: inner, isNegated },
    draft`toEqual(${isNegated ? nullable(expected) : expected})`,
  )
  return { checks: [check], subject: inner }
}

function keysClaim({ translator, subject, given, isNegated, isPart, isAny }: Claim): Claimed {
  const [first, ...others] = given.map((one) => translator.known.of(one))
  const listed =
    first?.is === "value" && isJsonArray(first.value) && others.length === 0 ? first.value : undefined
  const values = listed ?? [first, ...others].map((one) => (one?.is === "value" ? one.value : null))
  const keys = values.flatMap((one) => (typeof one === "string" ? [one] : []))
  if (keys.length === 0 || keys.length < values.length) return refuse("these keys")
  const has = (key: string): Draft => draft`${translator.text(key)} in ${grouped(subject)}`
  if (isAny) return { checks: [truth(joinDrafts(keys.map(has), draft` || `), isNegated)] }
  if (isPart) {
    if (isNegated) return refuse("not.include.keys")
    return { checks: keys.map((key) => truth(has(key), false)) }
  }
  const expected = keys.toSorted().map((key) => translator.text(key))
  const not = isNegated ? js`.not` : js``
  return {
    checks: [
      draft`ctx.expect(Object.keys(${subject}).sort())${not}.toEqual([${joinDrafts(expected, draft`, `)}])`,
    ],
  }
}

function membersClaim(claim: Claim): Claimed {
  const { translator, subject, isNegated, isPart, isDeep } = claim
  const items = asType(only(claim), "ArrayExpression")?.elements
  const literals = items?.map((item) => asType(item, "Literal")?.raw) ?? [undefined]
  const isPlain = literals.every((one) => one !== undefined)
  if (items === undefined || isNegated || (!isPlain && !isDeep) || new Set(literals).size < literals.length)
    return refuse("these members")
  const expected = items.map((item) => translator.expression(item as Expression))
  const contained = expected.map((item) => draft`ctx.expect(${subject}).toContain(${item})`)
  const length = draft`ctx.expect(${subject}).toHaveLength(${numberCode(items.length)})`
  return { checks: isPart ? contained : [length, ...contained] }
}

const BODY: Draft = [{ is: "response", path: ["body"] }]

/** Translates an assertion about the whole response. */
function responseClaims(translator: CodeWriter, chain: Chain): readonly Draft[] | undefined {
  const native = nativeChecks(chain, translator.known)
  if (native !== undefined) return native.map(checkCode)
  const words = chain.words.filter(({ word }) => !fillers.has(word))
  const isNegated = words.some(({ word }) => word === "not")
  const [claim, ...others] = words.filter(({ word }) => word !== "not")
  if (claim === undefined || others.length > 0 || isNegated) return undefined
  const { word, given } = claim
  // callsheet reads a body that isn't JSON as text.
  if (word === "json" && given === undefined) return [draft`ctx.expect(${BODY}).not.toBeType("string")`]
  if (word === "withBody" || (word === "body" && given?.length === 0))
    return [draft`ctx.expect(${bodyTextOf}).not.toHaveLength(0)`]
  const value = translator.known.of(given?.[0])
  if (word !== "body" || value?.is !== "value" || given?.length !== 1) return undefined
  if (isJsonObject(value.value)) return [draft`ctx.expect(${BODY}).toEqual(${valueCode(value.value)})`]
  return typeof value.value === "string" ? bodyEquals(value.value) : undefined
}

const bodyEquals = (text: string): readonly Draft[] | undefined =>
  isJsonText(text) ? undefined : [draft`ctx.expect(${BODY} ?? "").toEqual(${[{ is: "text", text }]})`]

/** Translates an assertion about the text of the body. */
function textClaims(translator: CodeWriter, { root, words }: Chain): readonly Draft[] | undefined {
  if (root.is !== "value" || !isBodyText(root.value)) return undefined
  const claims = words.filter(({ word }) => !fillers.has(word))
  const isNegated = claims.some(({ word }) => word === "not")
  const [claim, ...others] = claims.filter(({ word }) => word !== "not")
  const text = translator.known.text(claim?.given?.[0])
  if (claim === undefined || others.length > 0 || text === undefined) return refuse("the text of the body")
  if (/^(?:include|contain)s?$|^string$/.test(claim.word) && isSearchable(text))
    return [
      draft`ctx.expect(${bodyTextOf})${isNegated ? js`.not` : js``}.toContain(${[{ is: "text", text }]})`,
    ]
  const isEqual = /^(?:eq|eql|eqls|equal|equals)$/.test(claim.word) && !isNegated
  return (isEqual ? bodyEquals(text) : undefined) ?? refuse("the text of the body")
}

/** Writes a check that an assertion could make, as code. */
function checkCode({ source, operator, value }: Omit<Check, "is">): Draft {
  const place: Draft = [{ is: "response", path: source }]
  const expected = value === undefined ? draft`` : valueCode(value)
  switch (operator) {
    case "equals":
      return draft`ctx.expect(${subjectCode(place)}).toEqual(${expected})`
    case "notEquals":
      return draft`ctx.expect(${place} ?? null).not.toEqual(${expected})`
    case "exists":
      return truth([{ is: "has", path: source }], false)
    case "notExists":
      return truth([{ is: "has", path: source }], true)
    case "greaterThan":
      return draft`ctx.expect(${place}).not.toBeAtMost(${expected})`
    case "lessThan":
      return draft`ctx.expect(${place}).not.toBeAtLeast(${expected})`
    case "contains":
      return draft`ctx.expect(${subjectCode(place)}).toContain(${expected})`
    case "hasValue":
      return draft`ctx.expect(${place} ?? null).not.toEqual(null)`
    case "hasNoValue":
      return draft`ctx.expect(${place} ?? null).toEqual(null)`
    default:
      return refuse("this check")
  }
}
