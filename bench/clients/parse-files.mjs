// The smallest program that reads a project's files and parses those in JSON.

import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

const [folder] = process.argv.slice(2)
let count = 0
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue
  const text = readFileSync(join(entry.parentPath ?? entry.path, entry.name), "utf8")
  if (entry.name.endsWith(".json")) JSON.parse(text)
  count++
}
process.stdout.write(`${count}\n`)
