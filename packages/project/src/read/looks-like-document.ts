// Recognizes files by their keys, although their names or places are wrong.

import { readText, type Entry } from "./project-folder.ts"

export const isData = ({ name, kind }: Entry): boolean =>
  kind === "file" && /\.(?:json[c5]?|ya?ml|toml)$/i.test(name)

/** Returns whether a JSON, YAML or TOML file seems to have one of the keys, even if it is malformed. */
export function hasKey(entry: Entry, keys: string): boolean {
  const read = readText(entry)
  return read.ok && new RegExp(`(?:^|[\\s{,"'])(?:${keys})["']?[ \\t]*[:=]`).test(read.value.text)
}

/** Returns whether a file seems to be an OpenAPI document. Only a document has one of these keys. */
export const looksLikeDocument = (entry: Entry): boolean => isData(entry) && hasKey(entry, "openapi|swagger")

/** Returns the name that a document must have: `openapi.yaml` for `swagger.yaml`. */
export const documentNameFor = (name: string): string =>
  `openapi.${/\.(ya?ml)$/i.exec(name)?.[1]?.toLowerCase() ?? "json"}`
