// Renames a script or saved request in every block of a project. Lists the places that the user has to check.

import {
  editedText,
  createProblemMaker,
  getOrCreate,
  hasResponse,
  type JsonChange,
  type Finding,
  type Problem,
  type Project,
  replaceJsonValues,
  setJsonAt,
  type Visit,
  type WorkflowFile,
  workflowShape,
  isHalfWritten,
} from "@callsheet/format"
import {
  blocksThatName,
  type BlockUse,
  type NamedFile,
  type NamedRequest,
  namesakesOf,
} from "../references/block-uses.ts"
import { messages } from "../messages.ts"

/**
 * Renames a script of a workflow, or a saved request of an API. Warns about unchanged places that may name the file,
 * and about changed places to review.
 */
export function renameFile(project: Project, file: NamedFile, to: NamedFile) {
  const edits = new Map<WorkflowFile, BlockEdit[]>()
  const warnings: Problem[] = []
  const own = messages[file.kind === "script" ? "script-missing" : "instance-unknown"]
  const note = (use: BlockUse, finding: Finding): void => void warnings.push(noteAt(use, file, finding))
  for (const use of blocksThatName(project, file)) {
    const { workflow, visit } = use
    if (isHalfWritten(workflow)) continue
    if (!use.isSure) {
      note(use, own.mayName())
      continue
    }
    const found = editsFor(project, visit, { file, to })
    getOrCreate(edits, workflow, () => []).push(...found)
    if (asksForLook(visit, found)) note(use, messages["instance-unknown"].namesOperation())
  }
  for (const { workflow, visit, resource } of captured(project, file, to))
    getOrCreate(edits, workflow, () => []).push({
      pointer: [...visit.pointer(), "request", "resource"],
      value: resource,
      isNew: true,
    })
  const texts = [...edits].map(([{ file: path, text }, list]) => ({
    file: path,
    before: text,
    after: edited(text, list),
  }))
  return { texts, warnings }
}

interface BlockEdit extends JsonChange {
  readonly isNew?: true
}

/** Returns the edits of a block. Also sets the resource if it changes, or if the new name is ambiguous without it. */
function editsFor(
  project: Project,
  { block, pointer }: Visit,
  { file, to }: { readonly file: NamedFile; readonly to: NamedFile },
): readonly BlockEdit[] {
  if (to.kind === "script") return [{ pointer: [...pointer(), "script", "name"], value: to.script }]
  if (!hasResponse(block) || file.kind === "script") return []
  const edits: BlockEdit[] = []
  const at = [...pointer(), "request"]
  if (to.request !== file.request) edits.push({ pointer: [...at, "instance"], value: to.request })
  const { resource } = block.request
  if (resource !== undefined) {
    if (to.resource !== file.resource) edits.push({ pointer: [...at, "resource"], value: to.resource })
  } else if (othersOf(project, file, to.request).length > 0)
    edits.push({ pointer: [...at, "resource"], value: to.resource, isNew: true })
  return edits
}

const othersOf = (project: Project, file: NamedRequest, name: string): readonly string[] =>
  namesakesOf(project, file.api, name).filter(
    (resource) => resource !== file.resource || name !== file.request,
  )

/**
 * Yields blocks that now have to state their resource, because the rename makes the name of their saved request
 * ambiguous.
 */
function* captured(project: Project, file: NamedFile, to: NamedFile) {
  if (file.kind !== "request" || to.kind !== "request" || file.request === to.request) return
  const [resource, ...more] = othersOf(project, file, to.request)
  if (resource === undefined || more.length > 0) return
  for (const { workflow, visit, isSure } of blocksThatName(project, { ...to, resource })) {
    const { block } = visit
    if (isHalfWritten(workflow)) continue
    if (isSure && hasResponse(block) && block.request.resource === undefined)
      yield { workflow, visit, resource }
  }
}

const asksForLook = ({ block }: Visit, edits: readonly BlockEdit[]): boolean =>
  hasResponse(block) &&
  block.request.operation !== undefined &&
  edits.some(({ pointer }) => pointer.at(-1) === "resource")

function edited(text: string, edits: readonly BlockEdit[]): string {
  const [added, changed] = [edits.filter(({ isNew }) => isNew), edits.filter(({ isNew }) => !isNew)]
  return added.reduce(
    (after, { pointer, value }) => editedText(setJsonAt(after, pointer, value, workflowShape)),
    editedText(replaceJsonValues(text, changed)),
  )
}

function noteAt({ workflow, visit }: BlockUse, file: NamedFile, finding: Finding): Problem {
  const field = file.kind === "script" ? ["script", "name"] : ["request", "instance"]
  return createProblemMaker(workflow)([...visit.pointer(), ...field], "value", finding)
}
