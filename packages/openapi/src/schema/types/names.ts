// The property names of an object: those that schemas describe, and those that are required.

import { listMember, objectMember } from "../../document/located.ts"
import { type Asking, namesAllowed } from "./answers.ts"
import { type Branch, createFold, type SchemaNode } from "./schema-nodes.ts"

const MAX_NAMES = 1_000

const join = (lists: readonly (readonly string[])[]): readonly string[] =>
  [...new Set(lists.flat())].slice(0, MAX_NAMES)

const joinBranches = (branches: readonly Branch<readonly string[]>[]): readonly string[] =>
  join(branches.map(({ result }) => result))

export const createNames = (asking: Asking): ((node: SchemaNode) => readonly string[]) =>
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
    (name) => properties[name] !== false && !asking.isHidden(node, name),
  )
  const allowed = namesAllowed(asking, node)?.filter((name) => typeof name === "string") ?? []
  return join([declared, allowed])
}

interface Required {
  readonly names: ReadonlySet<string>
  /** Properties that only the other direction has. They are never required here. */
  readonly excused: ReadonlySet<string>
}

const nothing: Required = { names: new Set(), excused: new Set() }

export function createRequired(asking: Asking): (node: SchemaNode) => readonly string[] {
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
