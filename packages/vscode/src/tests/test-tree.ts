// Turns listed tests into a flat tree for the Test Explorer, and says what each of its nodes runs.

import type { ListedPlace, ListedSuite, ListedTests, ListedWorkflow } from "./listed-tests.ts"

/** What runs if a node is chosen. */
type Target =
  | { readonly workflow: string; readonly until?: string }
  | { readonly suite: string; readonly entry?: string }

export interface TestNode {
  /** Unique in the project. */
  readonly id: string
  readonly parent?: string
  readonly label: string
  readonly description?: string
  /** Relative to the project, with `/`. */
  readonly file: string
  readonly place?: ListedPlace
  readonly target: Target
  /** The order of a block in its workflow. */
  readonly order?: number
}

/** The id of a node. `JSON.stringify` keeps names with any character apart. */
export const nodeId = {
  workflow: (name: string): string => JSON.stringify(["workflow", name]),
  block: (workflow: string, block: string): string => JSON.stringify(["block", workflow, block]),
  suite: (name: string): string => JSON.stringify(["suite", name]),
  entry: (suite: string, role: string, entry: string): string =>
    JSON.stringify(["entry", suite, role, entry]),
  row: (entryId: string, row: number): string => JSON.stringify(["row", entryId, row]),
}

/** More rows than this get their nodes only when they run. */
const MAX_ROWS = 200

/** Returns all nodes, each after its parent. */
export const testTree = ({ tests }: ListedTests): readonly TestNode[] =>
  tests.flatMap((test) => ("workflow" in test ? workflowNodes(test) : suiteNodes(test)))

function workflowNodes({ workflow, file, isHelper, blocks }: ListedWorkflow): readonly TestNode[] {
  const id = nodeId.workflow(workflow)
  return [
    {
      id,
      label: workflow,
      ...(isHelper === true ? { description: "helper" } : {}),
      file,
      target: { workflow },
    },
    ...blocks.map((block, order): TestNode => ({
      id: nodeId.block(workflow, block.id),
      parent: block.in === undefined ? id : nodeId.block(workflow, block.in),
      label: block.id,
      description: block.type,
      file,
      place: block,
      target: { workflow, until: block.id },
      order,
    })),
  ]
}

function suiteNodes({ suite, file, entries, ...place }: ListedSuite): readonly TestNode[] {
  const id = nodeId.suite(suite)
  return [
    { id, label: suite, description: "suite", file, place, target: { suite } },
    ...entries.flatMap((entry) => {
      const own = nodeId.entry(suite, entry.role, entry.name)
      const node: TestNode = {
        id: own,
        parent: id,
        label: entry.name,
        description: entry.role === "main" ? entry.workflow : `${entry.role}, ${entry.workflow}`,
        file,
        place: entry,
        // Entries of `before` and `finally` run only with the suite.
        target: entry.role === "main" ? { suite, entry: entry.name } : { suite },
      }
      const count = Math.min(entry.rows ?? 0, MAX_ROWS)
      return [node, ...Array.from({ length: count }, (_, index) => rowNode(node, index + 1))]
    }),
  ]
}

/** Returns the node of one row of an entry's data file. A row runs with its entry. */
export const rowNode = ({ id, file, place, target }: TestNode, row: number): TestNode => ({
  id: nodeId.row(id, row),
  parent: id,
  label: `row ${row}`,
  file,
  ...(place === undefined ? {} : { place }),
  target,
})
