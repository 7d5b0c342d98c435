// Writes the schemas that SchemaStore accepts, and their test files, into a clone of SchemaStore.

import { execFileSync } from "node:child_process"
import { cpSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const command = fileURLToPath(new URL("../../packages/cli/bin/callsheet.js", import.meta.url))

/** The kinds of `callsheet schema` by their names in SchemaStore. */
const kinds = {
  "callsheet-baseline": "baseline",
  "callsheet-environment": "environment-schema",
  callsheet: "project",
  "callsheet-saved-request": "saved-request",
  "callsheet-workflow": "workflow",
}

/**
 * Returns the schema in draft-07. SchemaStore refuses newer drafts and ids that are not addresses. The schemas use no
 * keyword of a newer draft except `$defs`.
 */
function inDraft07(name, schema) {
  const { $schema: _, $id: __, $defs, ...rest } = schema
  const moved = JSON.stringify({ ...rest, ...($defs === undefined ? {} : { definitions: $defs }) })
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    $id: `https://www.schemastore.org/${name}.json`,
    ...JSON.parse(moved.replaceAll('"$ref":"#/$defs/', '"$ref":"#/definitions/')),
  }
}

const [clone] = process.argv.slice(2)
if (clone === undefined) {
  process.stderr.write("usage: node editors/schemastore/prepare.mjs <clone of SchemaStore>\n")
  process.exit(2)
}
const schemas = join(clone, "src/schemas/json")
mkdirSync(schemas, { recursive: true })
for (const [name, kind] of Object.entries(kinds)) {
  const printed = execFileSync(process.execPath, [command, "schema", kind], { encoding: "utf8" })
  const schema = inDraft07(name, JSON.parse(printed))
  writeFileSync(join(schemas, `${name}.json`), `${JSON.stringify(schema, undefined, 2)}\n`)
}
for (const folder of ["test", "negative_test"])
  cpSync(fileURLToPath(new URL(folder, import.meta.url)), join(clone, "src", folder), { recursive: true })
