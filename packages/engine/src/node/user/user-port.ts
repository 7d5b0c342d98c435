// Implements the user port: finds the user-level file. Without one, loads nothing else.

import { statSync } from "node:fs"
import { isAbsolute, join, resolve } from "node:path"
import { attempt, CallsheetError, type ResolvedEnvironment } from "@callsheet/format"
import type { OpenedUserFile, UserPort } from "../../ports.ts"
import { homeFolder } from "../home-folder.ts"
import type { ProcessEnvironment } from "../http/proxy.ts"

export interface UserPortOptions {
  /** The project, which must not contain the file. */
  readonly root: string
  readonly processEnvironment: ProcessEnvironment
}

export function createUserPort(options: UserPortOptions): UserPort {
  let opened: OpenedUserFile | undefined
  const open = async (): Promise<OpenedUserFile> => {
    if (opened !== undefined) return opened
    const { path, shown } = userFilePath(options.processEnvironment)
    // A missing file isn't an error, and neither is a directory in its path that is a file.
    const exists = attempt(() => statSync(path, { throwIfNoEntry: false })) !== undefined
    if (!exists) return (opened = { shown, problems: [], secrets: [] })
    const { openUserFile } = await import("./open-user-file.ts")
    return (opened = openUserFile({ ...options, path, shown }))
  }
  return {
    open,
    certificateOf: (origin, environment) => opened?.certificateOf?.(origin, environment),
    resolve: async (references, signal) => {
      const { shown, user } = await open()
      const { runResolvers } = await import("./run-resolvers.ts")
      return runResolvers(references, { ...options, ...user, shown, signal })
    },
  }
}

/** Resolves the references in an environment, without a run. Throws problems of the user-level file. */
export async function resolveSecrets(environment: ResolvedEnvironment, options: UserPortOptions) {
  const user = createUserPort(options)
  const { problems } = await user.open()
  const [first] = problems
  if (first !== undefined) throw new CallsheetError(first, { problems })
  const { resolveEnvironments } = await import("../../plan/resolve-references.ts")
  const resolved = await resolveEnvironments([environment], { user, known: new Map(), signal: undefined })
  return resolved.get(environment) ?? { environment, problems }
}

/** Returns the path of the user-level file, and a form of it for messages. Neither has to exist. */
function userFilePath(environment: ProcessEnvironment): { readonly path: string; readonly shown: string } {
  const given = environment["CALLSHEET_CONFIG"] ?? ""
  if (given !== "") return { path: resolve(given), shown: given }
  const isWindows = process.platform === "win32"
  const variable = isWindows ? "APPDATA" : "XDG_CONFIG_HOME"
  const base = environment[variable] ?? ""
  const below = join("callsheet", "config.json")
  if (isAbsolute(base)) return { path: join(base, below), shown: join(base, below) }
  // The environment is faster than `node:os`, which most runs don't load.
  const home = environment["HOME"] ?? homeFolder()
  const folder = isWindows ? "AppData/Roaming" : ".config"
  return { path: join(home, folder, below), shown: join("~", folder, below) }
}
