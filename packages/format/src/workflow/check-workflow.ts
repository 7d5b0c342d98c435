// A workflow file: text -> typed value, or everything that makes it impossible to run.

import { parseJson } from "../json/parse-json.ts"
import type { JsonPointer } from "../json/pointer.ts"
import { isJsonObject, type JsonValue } from "../json/value.ts"
import { byPosition, hasErrors, type Problem } from "../problems.ts"
import { MAX_FINDINGS, moreThanThese, readShape } from "../shape/check-shape.ts"
import type { Objection } from "../shape/shape.ts"
import { createProblemMaker, problemsAtOffsets, type SourceFile } from "../source.ts"
import { hasResponse, iterates, stringsOf } from "./blocks/index.ts"
import { valueStrings, type LiveString } from "./blocks/definition.ts"
import { objectToId } from "./names.ts"
import { formatPlace, parsePath } from "./path.ts"
import { parseTemplate, tokensOf } from "./template.ts"
import { readableWorkflow, wholeWorkflow, type ReadableWorkflow } from "./readable-workflow.ts"
import type { Workflow } from "./types.ts"
import { walkBlocks, type LoopChain, type Visit } from "./walk.ts"
import { workflowShape } from "./workflow-shape.ts"

interface CheckedWorkflow {
  /** Absent where `problems` holds errors. */
  readonly workflow?: Workflow | undefined
  /** Absent where the file holds no list of blocks. */
  readonly readable?: ReadableWorkflow | undefined
  readonly problems: readonly Problem[]
}

/** Reads and checks a workflow file by itself; the names that it uses from elsewhere are `plan`'s. */
export function checkWorkflow(source: SourceFile): CheckedWorkflow {
  const parsed = parseJson(source.text)
  if (!parsed.ok) return { problems: problemsAtOffsets(source, parsed.findings) }
  const problemAt = createProblemMaker(source)
  const { findings, value: workflow } = readShape(workflowShape, parsed.value)
  const problems: Problem[] = findings.map((finding) => problemAt(finding.pointer, finding.at, finding))
  const readable = workflow === undefined ? readableWorkflow(parsed.value, findings) : wholeWorkflow(workflow)
  if (readable !== undefined) {
    let count = 0
    for (const { pointer, at, objection } of findingsOf(readable, parsed.value)) {
      if (++count <= MAX_FINDINGS) problems.push(problemAt(pointer(), at, objection))
      else {
        problems.push(problemAt([], "value", moreThanThese(problems.length)))
        break
      }
    }
  }
  return {
    workflow: hasErrors(problems) ? undefined : workflow,
    readable,
    problems: byPosition(problems),
  }
}

/** Made one by one: who has enough stops, and the way to a block is long where ten thousand are nested. */
type Findings = Generator<Finding, void, undefined>
interface Finding {
  readonly pointer: () => JsonPointer
  readonly at: "key" | "value"
  readonly objection: Objection
}

function* findingsOf({ workflow, broken, brokenInputs }: ReadableWorkflow, file: JsonValue): Findings {
  yield* checkIds(workflow)
  if (isJsonObject(file)) yield* checkInputs(file["inputs"], brokenInputs)
  for (const visit of walkBlocks(workflow.blocks)) if (!broken.has(visit.block)) yield* checkStrings(visit)
}

function* checkIds(workflow: Workflow): Findings {
  const taken = new Map<string, string>()
  for (const { block } of walkBlocks(workflow.blocks))
    if (iterates(block) && block.iteratorVar !== undefined) taken.set(block.iteratorVar, "an iterator")
  for (const name of Object.keys(workflow.inputs ?? {})) taken.set(name, "an input")
  const seen = new Set<string>()
  for (const { block, loops, pointer } of walkBlocks(workflow.blocks)) {
    const other = seen.has(block.id) ? "a block" : taken.get(block.id)
    const objection = objectToBlockId(block.id, loops) ?? objectToTaken(block.id, other)
    if (objection !== undefined) yield { pointer: () => [...pointer(), "id"], at: "value", objection }
    seen.add(block.id)
    // An iterator and an input of one name: the input could never be read inside the loop.
    if (
      iterates(block) &&
      block.iteratorVar !== undefined &&
      Object.hasOwn(workflow.inputs ?? {}, block.iteratorVar)
    ) {
      const message = `the iterator ${JSON.stringify(block.iteratorVar)} has the name of an input`
      const objection = { code: "id-duplicate", message } as const
      yield { pointer: () => [...pointer(), "iteratorVar"], at: "value", objection }
    }
  }
}

const objectToTaken = (id: string, other: string | undefined): Objection | undefined =>
  other === undefined
    ? undefined
    : { code: "id-duplicate", message: `the id ${JSON.stringify(id)} is taken by ${other}` }

function objectToBlockId(id: string, loops: LoopChain | undefined): Objection | undefined {
  const template = parseTemplate(id)
  const malformed = (why: string, hint: string | undefined): Objection => ({
    code: "token-malformed",
    message: `the id ${JSON.stringify(id)}${why}`,
    hint,
  })
  if (!template.ok) return malformed(`: ${template.message}`, template.hint)
  if (!template.hasTokens) return objectToId(id)
  if (loops === undefined)
    return malformed(" holds a token outside of a loop", "only ids of blocks in a loop take tokens")
  const names = new Set(["$index"])
  for (let chain: LoopChain | undefined = loops; chain !== undefined; chain = chain.outer) {
    if (chain.loop.iteratorVar !== undefined) names.add(chain.loop.iteratorVar)
  }
  for (const token of tokensOf(template.parts)) {
    const [inner] = token.inner
    const path = typeof inner === "string" && token.inner.length === 1 ? parsePath(inner) : undefined
    if (path?.ok === true && names.has(path.segments[0])) continue
    const starts = [...names].map((name) => `"${name}"`).join(" or ")
    return malformed(" holds a token that no loop around it gives", `tokens of an id start with ${starts}`)
  }
  // A stand-in for each token, so that the rules see the id as it will be: not empty, and never starting with what a token gives.
  return objectToId(template.parts.map((part) => (typeof part === "string" ? part : "x")).join(""))
}

// What must be known before a run takes no tokens.
function* checkInputs(inputs: JsonValue | undefined, broken: ReadonlySet<string>): Findings {
  for (const [name, declaration] of isJsonObject(inputs) ? Object.entries(inputs) : []) {
    if (broken.has(name)) continue
    for (const { pointer, text } of valueStrings(declaration, ["inputs", name])) {
      const template = parseTemplate(text)
      if (template.ok && !template.hasTokens) continue
      const message = `${formatPlace(pointer)}: inputs take no tokens`
      yield { pointer: () => pointer, at: "value", objection: { code: "token-malformed", message } }
    }
  }
}

function* checkStrings({ block, pointer }: Visit): Findings {
  for (const live of stringsOf(block)) {
    const objection = objectToLiveString(live)
    if (objection !== undefined) {
      const place = [...pointer(), ...live.pointer]
      const message = `${formatPlace(place)}: ${objection.message}`
      yield { pointer: () => place, at: "value", objection: { ...objection, message } }
    }
  }
  if (!hasResponse(block)) return
  for (const key of Object.keys(block.request.overrides?.body ?? {})) {
    const path = parsePath(key)
    if (path.ok) continue
    const message = `${JSON.stringify(key)} is no path into the body: ${path.message}`
    yield {
      pointer: () => [...pointer(), "request", "overrides", "body", key],
      at: "key",
      objection: { code: "field-value", message },
    }
  }
}

export function objectToLiveString({ text, is }: Pick<LiveString, "text" | "is">): Objection | undefined {
  const template = parseTemplate(text)
  if (!template.ok) return { code: "token-malformed", message: template.message, hint: template.hint }
  if (is === "path" && !template.hasTokens) {
    const path = parsePath(text)
    if (!path.ok)
      return { code: "field-value", message: `${JSON.stringify(text)} is no path: ${path.message}` }
  }
  for (const token of tokensOf(template.parts)) {
    const [inner] = token.inner
    if (typeof inner !== "string" || token.inner.length > 1) continue
    const path = parsePath(inner)
    if (!path.ok)
      return { code: "token-malformed", message: `the token {{${inner}}} is no path: ${path.message}` }
  }
  return undefined
}
