// Finds the callsheet to start: the project's own if it is recent enough, otherwise the one in the extension.

import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { isRecentEnough } from "./recent-enough.ts"

export interface CallsheetCommand {
  /** The absolute path of the script that Node runs. */
  readonly entry: string
  readonly version: string
  readonly isBundled: boolean
}

export interface CommandPlace {
  /** The extension's directory. */
  readonly extension: string
  /** The project's directory. */
  readonly root: string
  /** The workspace folder around it. Packages above it are not the project's. */
  readonly workspace: string
  /** False if the user hasn't trusted the workspace, whose programs then don't start. */
  readonly isTrusted: boolean
}

/** Returns the command that runs workflows. */
export function findCommand(place: CommandPlace): CallsheetCommand {
  const bundled = bundledCommand(place.extension)
  return (place.isTrusted ? findOwn(place, bundled) : undefined) ?? bundled
}

/** Returns the command that serves the language. The project's own needs the package `callsheet-lsp`, too. */
export function findServer(place: CommandPlace): CallsheetCommand {
  const command = findCommand(place)
  if (command.isBundled) return command
  const modules = dirname(dirname(dirname(command.entry)))
  return existsSync(join(modules, "callsheet-lsp/package.json")) ? command : bundledCommand(place.extension)
}

const bundledCommand = (extension: string): CallsheetCommand => {
  const folder = join(extension, "dist/node_modules/callsheet")
  return { entry: entryIn(folder), version: versionIn(folder) ?? "", isBundled: true }
}

function findOwn({ root, workspace }: CommandPlace, bundled: CallsheetCommand): CallsheetCommand | undefined {
  for (let folder = root; ; folder = dirname(folder)) {
    const own = join(folder, "node_modules/callsheet")
    const version = versionIn(own)
    if (version !== undefined) {
      const isFine = isRecentEnough(version) && existsSync(entryIn(own))
      return isFine ? { ...bundled, entry: entryIn(own), version, isBundled: false } : undefined
    }
    if (folder === workspace || folder === dirname(folder)) return undefined
  }
}

const entryIn = (folder: string): string => join(folder, "bin/callsheet.js")

function versionIn(folder: string): string | undefined {
  try {
    const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
      version?: unknown
    }
    return typeof version === "string" ? version : undefined
  } catch {
    return undefined
  }
}
