// Finds mentions of a variable's name that a rename doesn't change: in scripts, in invalid files, and in ambiguous strings.

import type { Problem, Project } from "@callsheet/format"
import { readDocument, securitySchemesOf } from "@callsheet/openapi"
import { readProjectFile } from "@callsheet/project"
import { boundPlaces, brokenWorkflows, MAX_PLACES, mentionsIn, placeNotes } from "../plans/notes.ts"

interface Variable {
  readonly api: string
  readonly name: string
}

const MAX_SCRIPT_BYTES = 1024 * 1024
const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024

export async function mentionNotes(
  project: Project,
  variable: Variable,
  places: readonly Problem[],
): Promise<readonly string[]> {
  return [
    ...placeNotes(places),
    ...boundPlaces(brokenMentions(project, variable.name)),
    ...boundPlaces(scriptMentions(project, variable.name)),
    ...(await schemeNotes(project, variable)),
  ]
}

const patternOf = (name: string): RegExp =>
  new RegExp(`(?<![A-Za-z0-9_-])${name}(?![A-Za-z0-9_-])[^\\n]*`, "g")

function brokenMentions(project: Project, name: string): readonly string[] {
  const requests = [...project.apis.values()].flatMap(({ instances }) =>
    [...instances.values()].filter(({ request }) => request === undefined),
  )
  const sentence = `names "${name}" in a file with errors, and is left as it is.`
  return [...brokenWorkflows(project), ...requests].flatMap((file) =>
    mentionsIn(file, patternOf(name), sentence),
  )
}

/** Finds scripts that may read the variable through `ctx.env(api)`. They aren't rewritten automatically. */
function scriptMentions({ root, scriptNames }: Project, name: string): readonly string[] {
  const notes: string[] = []
  for (const [workflow, names] of scriptNames) {
    for (const script of names) {
      const file = `apis/workflow/scripts/${workflow}/${script}.ts`
      const text = readText(root, file, MAX_SCRIPT_BYTES)
      if (/\benv\b/.test(text))
        notes.push(
          ...mentionsIn({ file, text }, patternOf(name), `a script names "${name}", and is left as it is.`),
        )
      if (notes.length > 2 * MAX_PLACES) return notes
    }
  }
  return notes
}

/** Warns if the document has a security scheme of that name, because the variable provides its credentials. */
async function schemeNotes({ apis, root }: Project, { api, name }: Variable): Promise<readonly string[]> {
  const file = apis.get(api)?.documentFile
  if (file === undefined) return []
  const text = readText(root, file, MAX_DOCUMENT_BYTES)
  if (!patternOf(name).test(text)) return []
  const { document } = await readDocument({ file, text })
  if (document === undefined || !securitySchemesOf(document).some((scheme) => scheme.name === name)) return []
  return [
    `The document has a security scheme "${name}", which a variable of that name satisfies: without one, requests carry no such credentials.`,
  ]
}

/** Reads a file. Returns an empty string if it is too large or unreadable, because `validate` reports that. */
function readText(root: string, file: string, maxBytes: number): string {
  try {
    return new TextDecoder().decode(readProjectFile(root, file, maxBytes))
  } catch {
    return ""
  }
}
