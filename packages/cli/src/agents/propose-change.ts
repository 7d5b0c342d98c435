// The tools `propose_change` and `apply_proposal`: edits of workflows and saved requests, and generated tests, previewed
// before they are written.

import { randomBytes } from "node:crypto"
import {
  CallsheetError,
  deleteJsonAt,
  insertJsonItem,
  isJsonArray,
  isJsonObject,
  ownOf,
  parseJson,
  savedRequestShape,
  setJsonAt,
  shapes,
  unescapePointer,
  valueAt,
  workflowShape,
  type JsonPointer,
  type JsonValue,
} from "@callsheet/format"
import { projectMessages, readTextFile } from "@callsheet/project"
import { placeOf, writeGeneration, type FileName, type Generation } from "@callsheet/server"
import { createTwoFilesPatch } from "diff"
import { messages } from "../messages.ts"
import { problemFields, problemsView } from "./problem-view.ts"
import { defineTool } from "./tool.ts"
import { weakenedBy, type Change, type Weakened } from "./weakened-by.ts"
import { requireFile, type Workbench } from "./workbench.ts"

const { any, array, boolean, enumOf, object, optional, required, string } = shapes

const editShape = object({
  op: required(
    enumOf("add", "replace", "remove"),
    "As in JSON Patch. add inserts before an item of an array.",
  ),
  path: required(string(), "A JSON pointer: /blocks/0/assertions/- appends an assertion."),
  value: optional(any, "The new value, for add and replace."),
})
type Edit = shapes.TypeOf<typeof editShape>

const weakened = object({
  workflow: optional(string(), "The workflow. Absent if it is the file itself."),
  block: optional(string(), "The block that has the check. Absent for validateContracts."),
  check: required(string(), "The check in words."),
  change: required(
    enumOf("removed", "loosened", "skippable", "replaced"),
    "skippable: its block may not run. replaced: it now tests another request.",
  ),
  reason: required(string(), "Why this weakens the test."),
})

const weakens = required(
  array(() => weakened),
  "Checks that the contract supports and the file weakens, compared with the last commit or the start of the session. Tell the user about each.",
)

interface ProposedFile extends Change {
  readonly is: "file"
  /** The version of the file that the change is based on. Null for a new file. */
  readonly etag: string | null
}

/** Generated tests: all their files are written, or none. */
interface ProposedTests {
  readonly is: "tests"
  readonly generation: Generation
  /** The workflows and saved requests that change. */
  readonly changes: readonly Change[]
}

type Proposal = ProposedFile | ProposedTests

export type Proposals = Map<string, Proposal>

/** Above this number, the oldest proposals are dropped. */
const MAX_PROPOSALS = 32

/** Keeps a proposal. Returns its id. */
export function keepProposal(proposals: Proposals, proposal: Proposal): string {
  const id = randomBytes(12).toString("base64url")
  proposals.set(id, proposal)
  for (const oldest of proposals.keys()) if (proposals.size > MAX_PROPOSALS) proposals.delete(oldest)
  return id
}

export const proposeChange = (workbench: Workbench, proposals: Proposals) =>
  defineTool({
    name: "propose_change",
    title: "Propose a change",
    description:
      "Edit a workflow or saved request, or propose a new one. Returns the diff, the problems it would have, and the checks it weakens. Writes nothing.",
    annotations: { readOnlyHint: true, openWorldHint: false },
    input: object({
      path: required(string(), "A path from the project's root: apis/workflow/checkout.json."),
      edits: optional(
        array(() => editShape),
        "Edits of an existing file, in order.",
      ),
      text: optional(string(), "The text of a new file."),
    }),
    output: object({
      proposal: required(string(), "The id, for apply_proposal."),
      path: required(string(), "The file."),
      isNew: required(boolean, "True if the file doesn't exist yet."),
      diff: required(string(), "The change as a unified diff."),
      weakens,
      ...problemFields,
    }),
    run: async ({ path, edits, text: given }) => {
      const file = requireFile(path)
      if (file.kind !== "workflow" && file.kind !== "request")
        throw new CallsheetError(messages.usage.toolEditable())
      if ((edits === undefined) === (given === undefined))
        throw new CallsheetError(messages.usage.toolEdits())
      const found = readTextFile(workbench.root, placeOf(file))
      if (given !== undefined && found !== undefined)
        throw new CallsheetError(projectMessages["file-exists"].exists(path))
      const before =
        given === undefined ? (found?.text ?? (await workbench.handlers["files.read"]({ file })).text) : ""
      const text = given ?? editText(before, edits ?? [], file)
      const { problems } = await workbench.handlers["files.check"]({ file, text })
      const proposal = { is: "file", file, etag: found?.etag ?? null, before, text } as const
      return {
        proposal: keepProposal(proposals, proposal),
        path,
        isNew: found === undefined,
        diff: createTwoFilesPatch(path, path, before, text),
        weakens: await weakenedBy(workbench, proposal),
        ...problemsView(problems),
      }
    },
  })

export const applyProposal = (workbench: Workbench, proposals: Proposals) =>
  defineTool({
    name: "apply_proposal",
    title: "Apply a proposal",
    description:
      "Write a proposed change, if the file is unchanged since. A proposal that weakens checks also needs acknowledgeWeakening.",
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    input: object({
      proposal: required(string(), "The id that propose_change returned."),
      acknowledgeWeakening: optional(
        boolean,
        "True if the user knows which checks the proposal weakens, and why.",
      ),
    }),
    output: object({
      path: optional(string(), "The file that was written. Absent for generated tests."),
      files: optional(
        array(() => string()),
        "The files of generated tests that were written or removed.",
      ),
      weakens,
      ...problemFields,
    }),
    run: async ({ proposal: id, acknowledgeWeakening = false }) => {
      const proposal = proposals.get(id)
      if (proposal === undefined) throw new CallsheetError(messages["plan-unknown"].proposal())
      const changes = proposal.is === "file" ? [proposal] : proposal.changes
      // The contract may have changed since the proposal.
      const found: Weakened[] = []
      for (const change of changes) found.push(...(await weakenedBy(workbench, change)))
      if (found.length > 0 && !acknowledgeWeakening) throw weakening(found)
      const written = await write(workbench, proposal)
      proposals.delete(id)
      return { ...written, weakens: found }
    },
  })

const weakening = (found: readonly Weakened[]): CallsheetError =>
  new CallsheetError(
    messages.usage.toolWeakens(
      found.map(({ workflow, check, change, reason }) =>
        workflow === undefined
          ? `${check} (${change}; ${reason})`
          : `${check} in ${workflow} (${change}; ${reason})`,
      ),
    ),
  )

/** Writes a proposal. Returns what it wrote and the problems that it has. */
async function write({ root, handlers }: Workbench, proposal: Proposal) {
  if (proposal.is === "tests") {
    await writeGeneration(root, proposal.generation)
    const { problems } = await handlers["problems.read"]({})
    return { files: proposal.generation.result.files, ...problemsView(problems) }
  }
  const { file, etag, text } = proposal
  await handlers["files.save"]({ file, etag, text })
  const { problems } = await handlers["files.check"]({ file, text })
  return { path: placeOf(file).file, ...problemsView(problems) }
}

/** Applies edits to JSON text. Keeps the layout of everything else. */
function editText(text: string, edits: readonly Edit[], { kind }: FileName): string {
  const shape = kind === "workflow" ? workflowShape : savedRequestShape
  let edited = text
  for (const [at, edit] of edits.entries()) {
    const parsed = parseJson(edited)
    const result = parsed.ok ? applyEdit(edited, parsed.value, edit, shape) : undefined
    if (result?.ok !== true) throw new CallsheetError(messages.usage.toolEditPlace(at, edit.path))
    edited = result.text
  }
  return edited
}

function applyEdit(
  text: string,
  root: JsonValue,
  { op, path, value }: Edit,
  shape: typeof workflowShape | typeof savedRequestShape,
) {
  const pointer = readPointer(root, path)
  const key = pointer?.at(-1)
  if (pointer === undefined || key === undefined) return undefined
  const parent = valueAt(root, pointer.slice(0, -1))
  const exists = valueAt(root, pointer) !== undefined
  if (op === "remove") return exists ? deleteJsonAt(text, pointer) : undefined
  if (value === undefined || (op === "replace" && !exists)) return undefined
  if (op === "replace" || isJsonObject(parent)) return setJsonAt(text, pointer, value, shape)
  return isJsonArray(parent) && typeof key === "number" && key <= parent.length
    ? insertJsonItem(text, pointer.slice(0, -1), key, value)
    : undefined
}

/** Reads a JSON pointer (RFC 6901). Undefined if its parent doesn't exist. `-` is the end of an array. */
function readPointer(root: JsonValue, path: string): JsonPointer | undefined {
  if (!path.startsWith("/")) return undefined
  const pointer: (string | number)[] = []
  let here: JsonValue | undefined = root
  for (const step of path.slice(1).split("/")) {
    const name = unescapePointer(step)
    if (isJsonArray(here)) {
      const index: number = name === "-" ? here.length : /^(?:0|[1-9]\d*)$/.test(name) ? Number(name) : -1
      if (index < 0) return undefined
      pointer.push(index)
      here = here[index]
    } else if (isJsonObject(here)) {
      pointer.push(name)
      here = ownOf(here, name)
    } else return undefined
  }
  return pointer
}
