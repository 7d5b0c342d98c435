// Workflows that are valid by construction: every name, path and operator in them is in the document.

import type { Chance } from "./chance.ts"
import { findArray, formatSteps, pickPath, type DocumentedPath } from "./documented-paths.ts"
import { refusalOf, successOf, type RawOperation, type RawResponse } from "./list-operations.ts"
import { makeRequest, type MadeRequest } from "./make-request.ts"
import { makeValue, literal } from "./make-value.ts"
import type { Raw } from "./raw-document.ts"
import { enumOf, isBranched, itemsOf, typesOf } from "./schema-parts.ts"

export interface MadeWorkflow {
  readonly name: string
  readonly content: Raw
  readonly instances: readonly NonNullable<MadeRequest["instance"]>[]
}

const perWorkflow = 20
const pathsPerOperation = 6

export interface Making {
  readonly root: Raw
  readonly chance: Chance
}

export function makeWorkflows(making: Making, operations: readonly RawOperation[]): readonly MadeWorkflow[] {
  const workflows: MadeWorkflow[] = []
  for (let start = 0; start < operations.length; start += perWorkflow) {
    const requests: MadeRequest[] = []
    const blocks = operations
      .slice(start, start + perWorkflow)
      .flatMap((operation, index) => makeBlocks(making, { operation, id: `op${start + index}`, requests }))
    const instances = requests.flatMap(({ instance }) => (instance === undefined ? [] : [instance]))
    workflows.push({ name: `made-${start / perWorkflow}`, content: { version: 1, blocks }, instances })
  }
  return workflows
}

interface OperationUse {
  readonly operation: RawOperation
  readonly id: string
  readonly requests: MadeRequest[]
}

function makeBlocks(making: Making, use: OperationUse): readonly Raw[] {
  const { operation, id } = use
  const success = successOf(operation)
  const blocks = [send(making, use, id)]
  if (success === undefined) return blocks
  const paths = success.json === undefined ? [] : pickPaths(making, success.json.schema)
  blocks.push({
    id: `${id}-right`,
    type: "assert",
    assertions: [
      ...statusAssertions(id, success),
      ...paths.map((path) => assertionOn(making, `${id}.response.body${formatSteps(path.steps)}`, path)),
      ...success.headers.filter((name) => name !== "").map((name) => headerAssertion(id, name)),
      ...(success.text ? [{ source: `${id}.response.body`, operator: "contains", value: "x" }] : []),
    ],
  })
  blocks.push(...useOutputs(making, use, paths), ...loopOver(making, use, success), ...refuse(making, use))
  return blocks
}

function send({ root, chance }: Making, { operation, requests }: OperationUse, id: string): Raw {
  const options = { byPath: chance.upTo(3) === 0, withTag: chance.upTo(2) === 0, saved: chance.upTo(5) === 0 }
  const made = makeRequest({ root, operation, id, ...options })
  requests.push(made)
  return made.block
}

function pickPaths({ root, chance }: Making, schema: unknown): readonly DocumentedPath[] {
  const paths = new Map<string, DocumentedPath>()
  for (let attempt = 0; attempt < pathsPerOperation; attempt++) {
    const path = pickPath(root, schema, chance)
    if (path !== undefined) paths.set(formatSteps(path.steps), path)
  }
  return [...paths.values()].filter(({ steps }) => !steps.some((step) => /[{}]/.test(String(step))))
}

function statusAssertions(id: string, { status }: RawResponse): readonly Raw[] {
  const source = `${id}.response.status`
  if (/^\d+$/.test(status)) return [{ source, operator: "equals", value: Number(status) }]
  return [{ source, operator: "lessThan", value: 300 }]
}

const headerAssertion = (id: string, name: string): Raw => ({
  source: `${id}.response.headers${formatSteps([name.toLowerCase()])}`,
  operator: "exists",
})

/** An operator and a value that are true for some value of the schema. */
function assertionOn({ root }: Making, source: string, { parts, throughBranch }: DocumentedPath): Raw {
  const types = typesOf(parts)
  if (types === undefined || throughBranch || isBranched(parts)) return { source, operator: "hasValue" }
  const allowed = enumOf(parts).find((value) => value !== null)
  if (allowed !== undefined) return { source, operator: "equals", value: literal(allowed) }
  const [type] = [...types].filter((name) => name !== "null")
  switch (type) {
    case "string":
      return { source, operator: "contains", value: "x" }
    case "integer":
    case "number":
      return { source, operator: "greaterThan", value: 0 }
    case "boolean":
      return { source, operator: "notEquals", value: false }
    case "array":
      return { source, operator: "contains", value: makeValue(root, itemsOf(parts) ?? {}) }
    default:
      return { source, operator: "exists" }
  }
}

/** Names values by a transform, and sends one of them if the operation has a parameter for it. */
function useOutputs(making: Making, use: OperationUse, paths: readonly DocumentedPath[]): readonly Raw[] {
  const { id } = use
  if (paths.length === 0) return []
  const named = paths.map((path, index): [string, string] => [
    `out${index}`,
    `${id}.response.body${formatSteps(path.steps)}`,
  ])
  const compared = named.map(([name, source]) => ({
    source,
    operator: "equals",
    value: `{{${id}-named.${name}}}`,
  }))
  const again = send(making, use, `${id}-again`) as { readonly request: Raw }
  return [
    { id: `${id}-named`, type: "transform", transforms: Object.fromEntries(named) },
    { id: `${id}-same`, type: "assert", description: `{{${id}-named.out0}}`, assertions: compared },
    { ...again, request: withPathParameters(again.request, `{{${id}-named.out0}}`) },
  ]
}

function withPathParameters(request: Raw, value: string): Raw {
  const overrides = request["overrides"] as { readonly params?: { readonly path?: Raw } } | undefined
  const path = overrides?.params?.path
  if (path === undefined) return request
  const params = {
    ...overrides?.params,
    path: Object.fromEntries(Object.keys(path).map((key) => [key, value])),
  }
  return { ...request, overrides: { ...overrides, params } }
}

function loopOver(making: Making, { id }: OperationUse, success: RawResponse): readonly Raw[] {
  const { root, chance } = making
  const array = success.json === undefined ? undefined : findArray(root, success.json.schema)
  if (array === undefined || array.steps.some((step) => /[{}]/.test(String(step)))) return []
  const path = pickPath(root, itemsOf(array.parts), chance)
  const item = `item-of-${id}`
  const source = path === undefined ? item : `${item}${formatSteps(path.steps)}`
  const assertion =
    path === undefined || /[{}]/.test(source)
      ? { source: item, operator: "exists" }
      : assertionOn(making, source, path)
  return [
    {
      id: `${id}-each`,
      type: "loop",
      mode: "forEach",
      source: `${id}.response.body${formatSteps(array.steps)}`,
      iteratorVar: item,
      blocks: [
        { id: `${id}-item-{{$index}}`, type: "assert", assertions: [assertion] },
        { id: `${id}-kept-{{$index}}`, type: "transform", transforms: { kept: item } },
      ],
    },
  ]
}

/** The same operation as a negative test: a documented error response and a path into its body. */
function refuse(making: Making, use: OperationUse): readonly Raw[] {
  const refusal = refusalOf(use.operation)
  if (refusal?.json === undefined || making.chance.upTo(2) === 0) return []
  const id = `${use.id}-refused`
  const paths = pickPaths(making, refusal.json.schema).slice(0, 2)
  return [
    send(making, use, id),
    {
      id: `${id}-right`,
      type: "assert",
      assertions: [
        { source: `${id}.response.status`, operator: "equals", value: Number(refusal.status) },
        ...paths.map((path) => assertionOn(making, `${id}.response.body${formatSteps(path.steps)}`, path)),
      ],
    },
  ]
}
