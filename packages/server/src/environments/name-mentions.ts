// Where a variable's name stands and is not mended: in scripts, in files with errors, and in places that may mean something else.

import { createLineFinder, type Problem, type Project } from "@callsheet/format"
import { readDocument, securitySchemesOf } from "@callsheet/openapi"
import { readProjectFile } from "@callsheet/project"
import { boundPlaces, MAX_PLACES, placeNotes } from "../plans/bound-notes.ts"

interface Variable {
  readonly api: string
  readonly name: string
}

const MAX_SCRIPT_BYTES = 1024 * 1024

/** Sentences, one for each place; of very many the first. `places` are those that the caller knows. */
export async function mentionNotes(
  project: Project,
  variable: Variable,
  places: readonly Problem[],
): Promise<readonly string[]> {
  return [
    ...placeNotes(places),
    ...boundPlaces(brokenMentions(project, variable.name)),
    ...boundPlaces(scriptMentions(project, variable)),
    ...(await schemeNotes(project, variable)),
  ]
}

/** Where a name stands by itself, and not as a part of another one: once for each line, and no further than anybody looks. */
function placesOf(text: string, name: string): readonly { readonly line: number; readonly column: number }[] {
  const alone = new RegExp(`(?<![A-Za-z0-9_-])${name}(?![A-Za-z0-9_-])`, "g")
  const places: { line: number; column: number }[] = []
  let place: ReturnType<typeof createLineFinder> | undefined
  for (
    let found = alone.exec(text);
    found !== null && places.length <= MAX_PLACES;
    found = alone.exec(text)
  ) {
    place ??= createLineFinder(text)
    places.push(place(found.index))
    const lineEnd = text.indexOf("\n", found.index)
    alone.lastIndex = lineEnd === -1 ? text.length : lineEnd
  }
  return places
}

/** Files that cannot be read as what they are. */
function brokenMentions(project: Project, name: string): readonly string[] {
  const workflows = [...project.workflows.values()].filter(
    ({ readable }) => readable === undefined || !readable.isComplete || readable.broken.size > 0,
  )
  const requests = [...project.apis.values()].flatMap(({ instances }) =>
    [...instances.values()].filter(({ request }) => request === undefined),
  )
  return [...workflows, ...requests].flatMap(({ file, text }) =>
    placesOf(text, name).map(
      ({ line, column }) =>
        `${file}:${line}:${column}: names "${name}" in a file with errors, and is left as it is.`,
    ),
  )
}

/** Scripts read variables by `ctx.env(api)`; their text is left to the person. */
function scriptMentions({ root, scriptNames }: Project, { name }: Variable): readonly string[] {
  const notes: string[] = []
  for (const [workflow, names] of scriptNames) {
    for (const script of names) {
      const file = `apis/workflow/scripts/${workflow}/${script}.ts`
      const text = readScript(root, file)
      if (!/\benv\b/.test(text)) continue
      for (const { line, column } of placesOf(text, name))
        notes.push(`${file}:${line}:${column}: a script names "${name}", and is left as it is.`)
      if (notes.length > 2 * MAX_PLACES) return notes
    }
  }
  return notes
}

function readScript(root: string, file: string): string {
  try {
    return new TextDecoder().decode(readProjectFile(root, file, MAX_SCRIPT_BYTES))
  } catch {
    // One that is too large, or no file: `validate` says so.
    return ""
  }
}

/** A variable that is called as a security scheme satisfies it. */
async function schemeNotes({ apis, root }: Project, { api, name }: Variable): Promise<readonly string[]> {
  const file = apis.get(api)?.documentFile
  if (file === undefined) return []
  const text = readDocumentText(root, file)
  if (placesOf(text, name).length === 0) return []
  const { document } = await readDocument({ file, text })
  if (document === undefined || !securitySchemesOf(document).some((scheme) => scheme.name === name)) return []
  return [
    `The document has a security scheme "${name}", which a variable of that name satisfies: without one, requests carry no such credentials.`,
  ]
}

const MAX_DOCUMENT = 64 * 1024 * 1024

function readDocumentText(root: string, file: string): string {
  try {
    return new TextDecoder().decode(readProjectFile(root, file, MAX_DOCUMENT))
  } catch {
    return ""
  }
}
