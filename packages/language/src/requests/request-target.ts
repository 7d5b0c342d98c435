// Checks that the target of a request block exists: its API, operation and saved request.

import {
  formatMessages,
  type Block,
  type Finding,
  hasErrors,
  hasResponse,
  hasTokens,
  type InstanceFile,
  parseTemplateOnce,
  type Problem,
  type ReadableWorkflow,
  type RequestBlock,
  type RequestTarget,
  suggest,
  walkBlocks,
} from "@callsheet/format"
import { inBlock, type Report } from "../names/scripts.ts"
import { type ApiSource, findTarget, type KnownTarget } from "./target.ts"
import { messages } from "../messages.ts"

interface TargetCheck {
  readonly block: RequestBlock
  readonly apis: ReadonlyMap<string, ApiSource>
  readonly apiNames: readonly string[]
  readonly report: Report
  /** Receives problems of other files: those of the saved request that the block sends. */
  readonly addProblem: (problem: Problem) => void
  readonly reported?: ReadonlySet<InstanceFile> | undefined
}

/** Returns the target of a request block. Undefined if it is known only at run time, or is missing, which is reported. */
export function checkTarget(check: TargetCheck): KnownTarget | undefined {
  const { block, apis, apiNames, report, addProblem } = check
  const source = apis.get(block.request.api)
  if (source === undefined) {
    report(["request", "api"], "value", formatMessages["api-unknown"].unknown(block.request.api, apiNames))
    return undefined
  }
  // An unreadable document is reported once, at the document.
  const isBroken = source.api.document !== undefined || hasErrors(source.api.problems)
  if (isBroken && source.document === undefined) return undefined
  if (isOpen(block.request)) return undefined
  const found = findTarget(source, block.request)
  const instanceProblems = found.instanceFile?.problems ?? []
  for (const problem of instanceProblems) addProblem(problem)
  if (found.found) return found
  const operation = found.instanceFile?.request?.operation
  if (found.instanceFile !== undefined && check.reported?.has(found.instanceFile) === true) return undefined
  if (hasErrors(instanceProblems) || (operation !== undefined && hasTokens(operation))) return undefined
  report(["request", found.field], "value", found.finding)
  return undefined
}

export type Targets = ReadonlyMap<Block, KnownTarget>

export function findTargets(
  check: Omit<TargetCheck, "block" | "report">,
  readable: ReadableWorkflow,
  report: Report,
): Targets {
  const targets = new Map<Block, KnownTarget>()
  for (const visit of walkBlocks(readable.workflow.blocks)) {
    const { block } = visit
    if (!hasResponse(block) || readable.broken.has(block)) continue
    const found = checkTarget({ ...check, block, report: inBlock(report, visit) })
    if (found !== undefined) targets.set(block, found)
  }
  return targets
}

/** Returns the method of a request block. Undefined if it depends on a token, or if the target does not exist. */
export function knownMethod(source: ApiSource | undefined, { request }: RequestBlock): string | undefined {
  if (source === undefined || isOpen(request)) return undefined
  const found = findTarget(source, request)
  return found.found ? found.target.method : undefined
}

const isOpen = ({ resource, operation, instance }: RequestTarget): boolean =>
  [resource, operation, instance].some((name) => name !== undefined && hasTokens(name))

export function pathParams(path: string): readonly string[] {
  const template = parseTemplateOnce(path)
  const isLiteral = !template.ok || !template.hasTokens
  const literal = isLiteral ? path : template.parts.filter((part) => typeof part === "string").join("")
  return [...literal.matchAll(/\{([^{}]+)\}/g)].flatMap((match) => match[1] ?? [])
}

export function unknownPathParams(
  { request }: RequestBlock,
  path: string,
): readonly { readonly name: string; readonly finding: Finding }[] {
  const names = pathParams(path)
  return Object.keys(request.overrides?.params?.path ?? {})
    .filter((name) => !names.includes(name))
    .map((name) => ({
      name,
      finding: messages["field-unknown"].pathParameter(path, name, names, suggest(name, names)),
    }))
}
