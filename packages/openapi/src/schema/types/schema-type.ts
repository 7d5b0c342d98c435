// The type of a value, derived from its schema. Reads a schema only when a path reaches it.

import {
  commonNames,
  getOrCreate,
  isArrayIndex,
  memo,
  once,
  type TypeStep,
  uniteKinds,
  uniteValues,
  unknownType,
  type ValueNotes,
  type ValueType,
  ownOf,
} from "@callsheet/format"
import type { MediaType } from "../../document/content.ts"
import type { OpenApiDocument } from "../../document/document.ts"
import { listMember, member, objectMember, textMember } from "../../document/located.ts"
import type { Part } from "../../document/part.ts"
import {
  type Answer,
  type Asked,
  type Asking,
  type Container,
  createAsking,
  type Direction,
  meetAnswers,
  namesAllowed,
  ownAnswer,
  undescribed,
  uniteAnswers,
} from "./answers.ts"
import { isContradictory, kindsOf, valuesOf } from "./facts.ts"
import { type Branch, createFold, type SchemaNode } from "./schema-nodes.ts"

/** Returns a schema's type. Open, broken and contradictory parts are unknown, because a type contains only what is guaranteed. */
export function schemaType(schema: Part, direction: Direction): ValueType {
  const reader = getOrCreate(readersOf(schema.document), direction, createReader)
  return reader.typeOf([reader.asking.at(schema)])
}

export const mediaSchemaType = ({ schema }: MediaType, direction: Direction): ValueType =>
  schema === undefined ? unknownType : schemaType(schema, direction)

interface Reader {
  readonly asking: Asking
  readonly typeOf: (alternatives: readonly SchemaNode[]) => ValueType
  readonly answer: (node: SchemaNode, segment: string) => Answer
  readonly names: (node: SchemaNode) => readonly string[]
  readonly required: (node: SchemaNode) => readonly string[]
}

const readersOf = memo((_: OpenApiDocument) => new Map<Direction, Reader>())

function createReader(direction: Direction): Reader {
  const asking = createAsking(direction)
  const types = new Map<string, ValueType>()
  const reader: Reader = {
    asking,
    typeOf: (alternatives) => {
      const sorted = [...new Set(alternatives)].sort((a, b) => a.id - b.id)
      if (sorted.every((node) => node === asking.anything || node === asking.unknown)) return unknownType
      const key = sorted.map(({ id }) => id).join(" ")
      return getOrCreate(types, key, () => createType(reader, sorted))
    },
    answer: createAnswers(asking),
    names: createNames(asking),
    required: createRequired(asking),
  }
  return reader
}

function createType(reader: Reader, alternatives: readonly SchemaNode[]): ValueType {
  const steps = new Map<string, TypeStep>()
  const { facts } = reader.asking
  const summary = once(() => {
    const all = alternatives.map(facts).filter((one) => !isContradictory(one))
    const values = all.length === 0 ? undefined : uniteValues(all.map(valuesOf))
    const isNamed = all.length === alternatives.length && all.every(({ named }) => named !== undefined)
    return {
      kinds: all.length === 0 ? undefined : uniteKinds(all.map(kindsOf)),
      origin: isNamed ? ("enforced" as const) : ("described" as const),
      values: values && [...new Set(values)],
    }
  })
  const only = alternatives.length === 1 ? alternatives[0] : undefined
  return {
    label: /\/(?:components\/schemas|definitions|\$defs)\/([^/]+)$/.exec(only?.part?.pointer ?? "")?.[1],
    notes: () => (only === undefined ? {} : notesOf(only)),
    get kinds() {
      return summary().kinds
    },
    get origin() {
      return summary().origin
    },
    get values() {
      return summary().values
    },
    step: (segment) => getOrCreate(steps, segment, () => stepOf(reader, alternatives, segment)),
    names: () => [...new Set(alternatives.flatMap(reader.names))],
    required: () => commonNames(alternatives.map(reader.required)),
  }
}

function notesOf(node: SchemaNode): ValueNotes {
  const beside = node.parts().flatMap(({ joins, nodes }) => (joins === "all" ? nodes : []))
  const schemas = [node, ...beside].map(({ schema }) => schema)
  const firstText = (keyword: string): string | undefined =>
    schemas.map((schema) => textMember(schema, keyword)).find((text) => text !== undefined && text !== "")
  const isInteger = schemas.some((schema) => [member(schema, "type")].flat().includes("integer"))
  return { description: firstText("description"), format: firstText("format"), isInteger }
}

function stepOf(reader: Reader, alternatives: readonly SchemaNode[], segment: string): TypeStep {
  const answer = uniteAnswers(
    alternatives.map((node) => reader.answer(node, segment)),
    { anything: reader.asking.anything, whenClosed: alternatives.length > 1 ? "perhaps" : "closed" },
  )
  switch (answer.says) {
    case "to":
    case "rest":
      return { leads: "to", type: reader.typeOf(answer.nodes) }
    case "open":
    case "silent":
      return { leads: "to", type: unknownType }
    case "perhaps":
      return { leads: "perhaps" }
    case "closed":
      return { leads: "nowhere", origin: answer.isAllowed === true ? "described" : "enforced" }
    case "none":
      return { leads: "nowhere", origin: "enforced" }
  }
}

function createAnswers(asking: Asking): Reader["answer"] {
  const folds = new Map<string, (node: SchemaNode) => Answer>()
  const ask = (node: SchemaNode, asked: Asked): Answer => {
    const key = `${asked.container} ${asked.segment}`
    return getOrCreate(folds, key, () => createAnswerFold(asking, asked))(node)
  }
  return (node, segment) => {
    const facts = asking.facts(node)
    if (isContradictory(facts)) return { says: "perhaps" }
    const kinds = kindsOf(facts)
    const containers = (["object", "array"] as const).filter((container) => kinds?.has(container) ?? true)
    const answer = uniteAnswers(
      containers.map((container) => ask(node, { container, segment })),
      { anything: asking.anything, whenClosed: "closed" },
    )
    // Without a `type`, the value may also be an array, even if its schema has only keywords for objects.
    const isGuess = facts.named === undefined && (isArrayIndex(segment) || containers[0] !== "object")
    return isGuess && (answer.says === "closed" || answer.says === "none") ? undescribed : answer
  }
}

function createAnswerFold(asking: Asking, asked: Asked): (node: SchemaNode) => Answer {
  const { anything } = asking
  const answersOf = (branches: readonly Branch<Answer>[]): readonly Answer[] =>
    branches.map(({ node, result }) => (canBe(asking, node, asked.container) ? result : { says: "none" }))
  const unite = (branches: readonly Branch<Answer>[]): Answer =>
    uniteAnswers(answersOf(branches), { anything, whenClosed: "perhaps" })
  return createFold<Answer>({
    own: (node) => ownAnswer(asking, node, asked),
    all: (answers) => meetAnswers(answers, asking),
    any: unite,
    // The enclosing schema decides about the parts that a condition doesn't describe.
    condition: (branches) =>
      unite(
        branches.map(({ node, result }) => ({
          node,
          result: result.says === "closed" ? { says: "silent" } : result,
        })),
      ),
    extension: (branches) => {
      const answer = unite(branches)
      return answer.says === "to" ? answer : { says: "perhaps" }
    },
    unknown: { says: "open" },
  })
}

const canBe = ({ facts }: Asking, node: SchemaNode, container: Container): boolean =>
  kindsOf(facts(node))?.has(container) ?? true

const MAX_NAMES = 1_000

const join = (lists: readonly (readonly string[])[]): readonly string[] =>
  [...new Set(lists.flat())].slice(0, MAX_NAMES)

const joinBranches = (branches: readonly Branch<readonly string[]>[]): readonly string[] =>
  join(branches.map(({ result }) => result))

const createNames = (asking: Asking): ((node: SchemaNode) => readonly string[]) =>
  createFold<readonly string[]>({
    own: (node) => ownNames(asking, node),
    all: join,
    any: joinBranches,
    condition: joinBranches,
    extension: joinBranches,
    unknown: [],
  })

function ownNames(asking: Asking, node: SchemaNode): readonly string[] {
  const properties = objectMember(node.schema, "properties") ?? {}
  const declared = Object.keys(properties).filter(
    (name) => ownOf(properties, name) !== false && !asking.isHidden(node, name),
  )
  const allowed = namesAllowed(asking, node)?.filter((name) => typeof name === "string") ?? []
  return join([declared, allowed])
}

interface Required {
  readonly names: ReadonlySet<string>
  /** Properties of only the other direction, which aren't required here. */
  readonly excused: ReadonlySet<string>
}

const nothing: Required = { names: new Set(), excused: new Set() }

function createRequired(asking: Asking): (node: SchemaNode) => readonly string[] {
  const fold = createFold<Required>({
    own: (node) => ownRequired(asking, node),
    all: (results) => ({
      names: new Set(results.flatMap(({ names }) => [...names])),
      excused: new Set(results.flatMap(({ excused }) => [...excused])),
    }),
    any: (branches) => ({
      names: branches.map(({ result }) => result.names).reduce(common),
      excused: new Set(branches.flatMap(({ result }) => [...result.excused])),
    }),
    condition: () => nothing,
    extension: () => nothing,
    unknown: nothing,
  })
  return (node) => {
    const { names, excused } = fold(node)
    return [...names].filter((name) => !excused.has(name))
  }
}

const common = (left: ReadonlySet<string>, right: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...left].filter((name) => right.has(name)))

function ownRequired(asking: Asking, node: SchemaNode): Required {
  const properties = Object.keys(objectMember(node.schema, "properties") ?? {})
  const excused = properties.filter((name) => asking.isHidden(node, name) || asking.isExcused(node, name))
  const names = listMember(node.schema, "required").filter((name) => typeof name === "string")
  return { names: new Set(names), excused: new Set(excused) }
}
