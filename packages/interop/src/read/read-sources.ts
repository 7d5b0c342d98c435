// Detects the formats of files by their content, and reads one collection with its environments.

import {
  CallsheetError,
  parseJson,
  problemsAtOffsets,
  type JsonValue,
  type SourceFile,
} from "@callsheet/format"
import { parseYaml } from "@callsheet/openapi"
import { messages } from "../messages.ts"
import type { Collection, Loss, SourceEnvironment, Variable } from "../model.ts"
import { isArazzo, readArazzo } from "./arazzo.ts"
import { readBrunoDirectory, type SourceDirectory } from "./bruno-directory.ts"
import { isOpenCollection, readOpenCollection } from "./bruno.ts"
import { isCurl, isUrl, readCurl, readUrl } from "./curl.ts"
import { isHar, readHar } from "./har.ts"
import { isInsomnia4, isInsomnia5, readInsomnia } from "./insomnia.ts"
import { withLiteralBraces } from "./literal-braces.ts"
import { isOpenApi, readOpenApi } from "./openapi.ts"
import { withSentRequests } from "./sent-requests.ts"
import {
  isOldPostman,
  isPostmanEnvironment,
  isPostmanGlobals,
  postmanCollectionIn,
  readPostman,
  readPostmanEnvironment,
} from "./postman.ts"

const { "import-source": problem } = messages

/** Reads files and directories as given. `address` is the URL that a document comes from. Throws `import-source` or `json-syntax` for one that can't be imported. */
export async function readSources(
  sources: readonly (SourceFile | SourceDirectory)[],
  address?: string,
): Promise<Collection> {
  const losses: Loss[] = []
  const environments: SourceEnvironment[] = []
  let globals: readonly Variable[] = []
  const lose = (loss: Loss): void => void losses.push(loss)
  let found: { readonly file: string; readonly collection: Collection } | undefined
  for (const source of sources) {
    const { file } = source
    const isDirectory = "files" in source
    const value = isDirectory ? undefined : await parse(source)
    const collection = isDirectory
      ? await readBrunoDirectory(source)
      : value === undefined
        ? (isUrl(source.text) ? readUrl : readCurl)(source.text, file)
        : collectionIn(value, file, address)
    if (collection !== undefined) {
      if (found !== undefined) throw new CallsheetError(problem.several(found.file, file))
      found = { file, collection }
    } else if (value !== undefined && isPostmanGlobals(value))
      globals = [...globals, ...readPostmanEnvironment(value, file, lose).variables]
    else if (value !== undefined && isPostmanEnvironment(value))
      environments.push(readPostmanEnvironment(value, file, lose))
    else
      throw new CallsheetError(
        value !== undefined && isOldPostman(value) ? problem.oldPostman(file) : problem.unknown(file),
      )
  }
  if (found === undefined) throw new CallsheetError(problem.none(sources.map(({ file }) => file)))
  const { collection } = found
  const whole = {
    ...collection,
    // In Postman, a variable of the collection overrides a global one.
    variables: [...globals, ...collection.variables],
    environments: [...collection.environments, ...environments],
    losses: [...collection.losses, ...losses],
  }
  return withSentRequests(
    whole.source === "postman" || whole.source === "bruno" ? withLiteralBraces(whole) : whole,
  )
}

function collectionIn(value: JsonValue, file: string, address?: string): Collection | undefined {
  const postman = postmanCollectionIn(value)
  if (postman !== undefined) return readPostman(postman, file)
  if (isInsomnia4(value) || isInsomnia5(value)) return readInsomnia(value, file)
  if (isOpenCollection(value)) return readOpenCollection(value, file)
  if (isArazzo(value)) return readArazzo(value, file)
  if (isHar(value)) return readHar(value, file)
  return isOpenApi(value) ? readOpenApi(value, file, address) : undefined
}

/** Parses JSON or YAML. Undefined for a script with curl commands, and for a URL. */
async function parse(source: SourceFile): Promise<JsonValue | undefined> {
  const { file, text } = source
  if (isUrl(text)) return undefined
  if (!/^\s*[[{]/.test(text)) {
    const hasKey = /^(?:[ \t]*(?:#.*|---.*)?\r?\n)*["']?[\w-]+["']?:(?:\s|$)/.test(text)
    // The descriptions in a YAML document may contain curl commands.
    if (!hasKey && isCurl(text)) return undefined
    const parsed = await parseYaml(source)
    if (parsed.ok && typeof parsed.value === "object") return parsed.value
    const problems = parsed.ok || !hasKey ? [] : parsed.problems
    throw new CallsheetError(problems[0] ?? problem.unknown(file), { problems })
  }
  const parsed = parseJson(text, { allowDuplicateKeys: true })
  if (parsed.ok) return parsed.value
  const problems = problemsAtOffsets(source, parsed.findings)
  const [first] = parsed.findings
  throw new CallsheetError(first ?? problem.unknown(file), { problems })
}
