// Writes the sample project of the app: a copy of the shop whose runs use the environment `local`.

import { existsSync } from "node:fs"
import { basename, join } from "node:path"
import { CallsheetError, parseSecretsFile, stringifyJson, type PlannedFile } from "@callsheet/format"
import { isProjectRoot, placeFiles, projectMessages } from "@callsheet/project"
import { readExample, textOf } from "../find-example.ts"
import { withPorts } from "./sample-servers.ts"

/** Throws `project-exists` if there is a project. `startServers` returns their first port. */
export async function createSample(root: string, startServers: () => Promise<number>): Promise<void> {
  if (isProjectRoot(root)) throw new CallsheetError(projectMessages["project-exists"].exists(basename(root)))
  const settings = { version: 1, defaults: { env: { shop: "local", payments: "local" } } }
  const files: readonly PlannedFile[] = [
    ...filesOfSample(await startServers()),
    { file: "callsheet.json", is: "text", text: `${stringifyJson(settings, { indent: 2 })}\n` },
  ]
  // A directory may have a README of its own.
  const missing = files.filter(({ file }) => file.includes("/") || !existsSync(join(root, file)))
  await placeFiles({
    root,
    title: "create the sample project",
    files: missing,
    force: false,
    isDryRun: false,
  })
}

const filesOfSample = (port: number): readonly PlannedFile[] =>
  [...readExample("shop")].map(([file, bytes]) => plannedFile(file, textOf(bytes), port))

function plannedFile(file: string, text: string, port: number): PlannedFile {
  if (!file.endsWith(".secrets.env"))
    return { file, is: "text", text: file.includes("/environments/") ? withPorts(text, port) : text }
  const values = parseSecretsFile(text).entries.map(({ name, value }) => [name, value] as const)
  return { file, is: "secrets", values: Object.fromEntries(values) }
}
