// Turns chosen nodes and an environment into calls of `callsheet run`. Every call is an array of words, never a line for a
// shell.

import type { TestNode } from "./test-tree.ts"

export interface RunChoice {
  /** `<api>=<environment>`, for `--env`. */
  readonly environments: readonly string[]
  /** True if the user typed the name of each production environment. */
  readonly isConfirmed?: boolean | undefined
  readonly isDebug?: boolean | undefined
  /** True to run again whenever a file changes. */
  readonly isContinuous?: boolean | undefined
}

/** A call of `callsheet run`, and the nodes that it was made for. */
export interface RunCall {
  readonly workflows: readonly string[]
  readonly options: readonly string[]
  readonly nodes: readonly TestNode[]
  /** True if it ends a workflow after a block. */
  readonly isPartial?: true
}

/** Returns the calls that run the chosen nodes, or everything except helpers and suites if `chosen` is undefined. */
export function runCalls(chosen: readonly TestNode[] | undefined): readonly RunCall[] {
  if (chosen === undefined) return [{ workflows: [], options: ["--all"], nodes: [] }]
  const whole = chosen.filter(({ target }) => "workflow" in target && target.until === undefined)
  const names = new Set(whole.flatMap(({ target }) => ("workflow" in target ? [target.workflow] : [])))
  return [
    ...(whole.length === 0 ? [] : [{ workflows: [...names], options: [], nodes: whole }]),
    ...blockCalls(chosen, names),
    ...suiteCalls(chosen),
  ]
}

/** Blocks of one workflow run together, up to the last of them. */
function blockCalls(chosen: readonly TestNode[], whole: ReadonlySet<string>): readonly RunCall[] {
  const last = new Map<string, { nodes: TestNode[]; order: number; until: string }>()
  for (const node of chosen) {
    const { target, order = 0 } = node
    if (!("workflow" in target) || target.until === undefined || whole.has(target.workflow)) continue
    const known = last.get(target.workflow)
    if (known === undefined) last.set(target.workflow, { nodes: [node], order, until: target.until })
    else {
      known.nodes.push(node)
      if (order > known.order) Object.assign(known, { order, until: target.until })
    }
  }
  return [...last].map(([workflow, { nodes, until }]) => ({
    workflows: [workflow],
    options: [`--until=${until}`],
    nodes,
    isPartial: true,
  }))
}

function suiteCalls(chosen: readonly TestNode[]): readonly RunCall[] {
  const calls = new Map<string, { options: readonly string[]; nodes: TestNode[] }>()
  const suites = new Set<string>()
  for (const { target } of chosen)
    if ("suite" in target && target.entry === undefined) suites.add(target.suite)
  for (const node of chosen) {
    const { target } = node
    if (!("suite" in target)) continue
    const entry = suites.has(target.suite) ? undefined : target.entry
    const options = [`--suite=${target.suite}`, ...(entry === undefined ? [] : [`--grep=${entry}`])]
    const key = JSON.stringify(options)
    const known = calls.get(key)
    if (known === undefined) calls.set(key, { options, nodes: [node] })
    else known.nodes.push(node)
  }
  return [...calls.values()].map((call) => ({ workflows: [], ...call }))
}

/** Returns all words of one call. */
export const runWords = (
  { workflows, options }: RunCall,
  { environments, isConfirmed, isDebug, isContinuous }: RunChoice,
): readonly string[] => [
  "run",
  ...environments.map((environment) => `--env=${environment}`),
  "--reporter=ndjson",
  ...(isConfirmed === true ? ["--yes"] : []),
  // Port 0 selects a free one.
  ...(isDebug === true ? ["--inspect-scripts=0"] : []),
  ...(isContinuous === true ? ["--watch"] : []),
  ...options,
  // After this word, a name that starts with a dash is not an option.
  "--",
  ...workflows,
]
