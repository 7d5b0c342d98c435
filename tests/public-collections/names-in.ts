// Reads the names of the requests in a collection, to count those that an import keeps.

import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"

/** Returns the names of requests. Empty for formats whose requests have no names of their own. */
export function namesIn(path: string): readonly string[] {
  if (!statSync(path).isDirectory())
    return path.endsWith(".json") ? namesOf(JSON.parse(readFileSync(path, "utf8"))) : []
  return readdirSync(path, { withFileTypes: true, recursive: true }).flatMap((entry) => {
    const isRequest = entry.isFile() && /\.(?:bru|ya?ml)$/.test(entry.name)
    const isOther =
      /^(?:folder|collection|opencollection)\.|environments/.test(entry.name) ||
      /environments/.test(entry.parentPath)
    if (!isRequest || isOther) return []
    const text = readFileSync(join(entry.parentPath, entry.name), "utf8")
    const [, name] = /^(?:meta \{|info:)\r?\n(?:[ \t]+.*\r?\n)*?[ \t]+name: (.+?)\r?$/m.exec(text) ?? []
    return name === undefined ? [] : [name.replace(/^(["'])(.*)\1$/, "$2")]
  })
}

interface PostmanItem {
  readonly name?: string
  readonly item?: readonly PostmanItem[]
}

const namesOf = ({ name, item }: PostmanItem): readonly string[] =>
  item === undefined ? (name === undefined ? [] : [name]) : item.flatMap(namesOf)
