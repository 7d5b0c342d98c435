// Resolves the placeholders in the inputs of a suite's entries, before a run.

import {
  type Block,
  formatPath,
  getOrCreate,
  isSingleToken,
  type JsonPointer,
  parsePathOnce,
  parseTemplateOnce,
  type Project,
  type ReadableWorkflow,
  type Severity,
  suggestOrList,
  type TemplatePart,
  tokensOf,
  unknownType,
  type ValueType,
} from "@callsheet/format"
import { advice, messages, reasons } from "../messages.ts"
import { asWritten, HOLE, patternOf } from "../names/name-pattern.ts"
import type { Report } from "../names/scripts.ts"
import { type ApiSource, findTargets } from "../requests/target.ts"
import type { Reading, StaticScope } from "../types/static-scope.ts"
import { meansNothing, similarName, type PathIssue, type WalkResult } from "../types/walk-type.ts"
import { createWorkflowScope } from "../types/workflow-scope.ts"
import type { SuiteEntry } from "./resolve-suite.ts"

/** The entry whose input contains a placeholder. */
export interface SuiteReader {
  readonly workflow: string
  /** The workflow that a `finally` belongs to. */
  readonly owner: string | undefined
  /** The entries of `before` that have run, by name. */
  readonly earlier: ReadonlyMap<string, SuiteEntry>
}

interface SuiteGround {
  readonly project: Pick<Project, "apiNames" | "workflows">
  readonly apis: ReadonlyMap<string, ApiSource>
}

// A block outside the workflow reads names as if all blocks had run.
const end: Block = { id: "", type: "group", blocks: [] }
const afterAll: Reading = { visit: { block: end, loops: undefined, pointer: () => [] } }

/** The severity by issue. A finding that depends on a document is only a warning. */
function severityOf({ is, origin, isNear }: PathIssue): Severity | undefined {
  if (is === "unknown" || (is === "nowhere" && origin === undefined)) return "error"
  return is === "undocumented" && isNear !== true ? undefined : "warning"
}

export class SuiteNames {
  readonly #ground: SuiteGround
  readonly #scopes = new Map<string, StaticScope | undefined>()

  constructor(ground: SuiteGround) {
    this.#ground = ground
  }

  /** Returns a workflow if all of its inputs and blocks are known. */
  readable(workflow: string): ReadableWorkflow | undefined {
    const readable = this.#ground.project.workflows.get(workflow)?.readable
    return readable?.isComplete === true ? readable : undefined
  }

  /** Reports placeholders that don't resolve. Returns the type of the string's value. */
  check(
    text: string,
    { reader, pointer, report }: { reader: SuiteReader; pointer: JsonPointer; report: Report },
  ): ValueType {
    const template = parseTemplateOnce(text)
    if (!template.ok || !template.hasTokens) return unknownType
    const types = tokensOf(template.parts).map(({ inner, offset }) => {
      const { type, issue } = this.#resolve(inner, reader)
      const severity = issue && severityOf(issue)
      if (issue === undefined || severity === undefined) return type
      const { unresolved } = messages["token-unresolved"]
      const finding = unresolved(formatPath(pointer), asWritten(inner), issue.message, issue.hint)
      const { replacement } = issue
      report(pointer, "value", { ...finding, severity, replacement }, offset)
      return unknownType
    })
    return isSingleToken(template.parts) ? (types[0] ?? unknownType) : unknownType
  }

  #resolve(parts: readonly TemplatePart[], { workflow, owner, earlier }: SuiteReader): WalkResult {
    const text = patternOf(parts)
    const path = parsePathOnce(text)
    if (text.startsWith("$") || !path.ok)
      return this.#scope(workflow)?.resolveToken(parts, afterAll) ?? { type: unknownType }
    const [first, second] = path.segments
    if (first.includes(HOLE)) return { type: unknownType }
    const own = owner === undefined ? undefined : this.#inWorkflow(owner, first, parts)
    const entry = earlier.get(first)
    if (own !== undefined && entry !== undefined) return meansNothing(reasons.ambiguousEntry(first))
    if (own !== undefined) return own
    if (entry !== undefined) {
      if (second === undefined) return meansNothing(reasons.wholeEntry(first), advice.blockOfEntry(first))
      if (second.includes(HOLE)) return { type: unknownType }
      const rest = text.includes(HOLE) ? second : formatPath(path.segments.slice(1))
      const found = this.#inWorkflow(entry.workflow, second, [rest])
      return (
        found ??
        this.#unknownName(second, entry.workflow, {
          message: reasons.noBlock(entry.workflow, second),
          entries: [],
        })
      )
    }
    if (first === "env") return this.#scope(workflow)?.resolve(parts, afterAll) ?? { type: unknownType }
    return this.#unknownName(first, owner, {
      message: reasons.unknownName(first),
      entries: [...earlier.keys()],
    })
  }

  /** Explains a name that the suite doesn't have. `entries` are the names of entries that may be meant. */
  #unknownName(
    name: string,
    workflow: string | undefined,
    { message, entries }: { readonly message: string; readonly entries: readonly string[] },
  ): WalkResult {
    const blocks = workflow === undefined ? [] : (this.#scope(workflow)?.results.keys() ?? [])
    const known = [...blocks, ...entries]
    if (known.length === 0) return meansNothing(message)
    return meansNothing(message, suggestOrList(name, known, "the suite"), similarName(name, known))
  }

  /**
   * Resolves a path that starts with a block. Undefined if the workflow doesn't have the block. Inputs can't be read.
   */
  #inWorkflow(workflow: string, name: string, parts: readonly TemplatePart[]): WalkResult | undefined {
    const scope = this.#scope(workflow)
    if (scope === undefined) return { type: unknownType }
    return scope.hasBlock(name) ? scope.resolve(parts, afterAll) : undefined
  }

  #scope(workflow: string): StaticScope | undefined {
    return getOrCreate(this.#scopes, workflow, () => {
      const readable = this.readable(workflow)
      if (readable === undefined) return undefined
      const { apis, project } = this.#ground
      const silent = () => undefined
      const targets = findTargets({ apis, apiNames: project.apiNames, addProblem: silent }, readable, silent)
      return createWorkflowScope({ readable, apis, targets }).scope
    })
  }
}
