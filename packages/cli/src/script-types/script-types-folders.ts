// The location of script types: the package `@callsheet/sdk` in a node_modules next to the scripts, where every editor and
// compiler looks first. Git, linters and searches ignore such directories.

import { lstatSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { CallsheetError, isJsonObject, parseJson, type JsonObject } from "@callsheet/format"
import { messages } from "../messages.ts"

const PACKAGE = ["node_modules", "@callsheet", "sdk"] as const
const SCRIPTS = "apis/workflow/scripts"

export const typesFolder = (workflow: string): string => `${SCRIPTS}/${workflow}/${PACKAGE.join("/")}`
/** The directory of the declarations of the SDK, which the types of all workflows share. */
export const sharedFolder = `${SCRIPTS}/${PACKAGE.join("/")}`

/** The paths from a workflow's types to the shared ones, and to its scripts. */
export const SDK_MODULE = `../../../../${PACKAGE.join("/")}/index.js`
export const SCRIPTS_FOLDER = "../../.."

export const packageFiles: ReadonlyMap<string, string> = new Map([
  [".gitignore", "*\n"],
  ["index.js", `"use strict"\n`],
  [
    "package.json",
    `${JSON.stringify({ name: "@callsheet/sdk", private: true, main: "index.js", types: "index.d.ts", callsheetTypes: 1 }, undefined, 2)}\n`,
  ],
])

type Standing = "nothing" | "ours" | "other"

/** Returns the owner of a directory. A link, or a directory that can't be read, is not ours. */
export function standingOf(root: string, folder: string): Standing {
  const names = folder.split("/")
  try {
    for (let count = names.length - PACKAGE.length + 1; count <= names.length; count++) {
      const stats = lstatSync(join(root, ...names.slice(0, count)), { throwIfNoEntry: false })
      if (stats === undefined) return "nothing"
      if (!stats.isDirectory()) return "other"
    }
    return readManifest(join(root, folder, "package.json"))?.["callsheetTypes"] === 1 ? "ours" : "other"
  } catch {
    return "other"
  }
}

function readManifest(path: string): JsonObject | undefined {
  const parsed = parseJson(readFileSync(path, "utf8"))
  return parsed.ok && isJsonObject(parsed.value) ? parsed.value : undefined
}

export const inTheWay = (folder: string): CallsheetError =>
  new CallsheetError(messages["types-in-the-way"].foreign(folder))
