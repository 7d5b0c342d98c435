// Detects the formats of files by their content, and reads one collection with its environments.

import {
  CallsheetError,
  parseJson,
  problemsAtOffsets,
  type JsonValue,
  type SourceFile,
} from "@callsheet/format"
import { messages } from "../messages.ts"
import type { Collection, Loss, SourceEnvironment, Variable } from "../model.ts"
import {
  isOldPostman,
  isPostmanEnvironment,
  isPostmanGlobals,
  postmanCollectionIn,
  readPostman,
  readPostmanEnvironment,
} from "./postman.ts"

const { "import-source": problem } = messages

/** Reads files as given. Throws `import-source` or `json-syntax` for a file that can't be imported. */
export function readSources(files: readonly SourceFile[]): Collection {
  const losses: Loss[] = []
  const environments: SourceEnvironment[] = []
  const globals: Variable[] = []
  let found: { readonly file: string; readonly collection: Collection } | undefined
  for (const source of files) {
    const { file } = source
    const value = parse(source)
    const postman = postmanCollectionIn(value)
    if (postman !== undefined) {
      if (found !== undefined) throw new CallsheetError(problem.several(found.file, file))
      found = { file, collection: readPostman(postman, file) }
    } else if (isPostmanGlobals(value))
      globals.push(...readPostmanEnvironment(value, file, (loss) => losses.push(loss)).variables)
    else if (isPostmanEnvironment(value))
      environments.push(readPostmanEnvironment(value, file, (loss) => losses.push(loss)))
    else throw new CallsheetError(isOldPostman(value) ? problem.oldPostman(file) : problem.unknown(file))
  }
  if (found === undefined) throw new CallsheetError(problem.none(files.map(({ file }) => file)))
  const { collection } = found
  return {
    ...collection,
    // In Postman, a variable of the collection overrides a global one.
    variables: [...globals, ...collection.variables],
    environments: [...collection.environments, ...environments],
    losses: [...collection.losses, ...losses],
  }
}

function parse(source: SourceFile): JsonValue {
  if (!/^\s*[[{]/.test(source.text)) throw new CallsheetError(problem.unknown(source.file))
  const parsed = parseJson(source.text, { allowDuplicateKeys: true })
  if (parsed.ok) return parsed.value
  const problems = problemsAtOffsets(source, parsed.findings)
  const [first] = parsed.findings
  throw new CallsheetError(first ?? problem.unknown(source.file), { problems })
}
