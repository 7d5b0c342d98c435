// Windows in Wine: its programs, its paths, and small projects to use there.

import { rm } from "node:fs/promises"
import { onTestFinished } from "vitest"
import { createFolder, node, type Files } from "../harness/callsheet.ts"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { shopFiles } from "../run/shop-project.ts"

interface Programs {
  readonly wine: string
  /** Windows' Node. */
  readonly node: string
  /** The directory with the drive C:. */
  readonly prefix: string
  /** The environment in which Wine starts programs. */
  readonly env: Readonly<Record<string, string>>
}

export const programs = JSON.parse(node[2] ?? "{}") as Programs

/** Returns the path under which Windows sees a file of this system: `Z:\tmp\…`. */
export const windowsPath = (path: string): string => `Z:${path.replaceAll("/", "\\")}`

/** Returns the variables with which Windows' Node loads a script first. This system's Node starts it, and must not. */
export const preloading = (path: string) => ({
  WINDOWS_NODE_OPTIONS: `--require ${windowsPath(path).replaceAll("\\", "/")}`,
})

/** Creates a directory for one test. */
export async function testFolder(files: Files = {}): Promise<string> {
  const folder = await createFolder(files)
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Starts an API and creates a project whose workflow `w` has these blocks. */
export async function shopFolder(
  blocks: readonly unknown[],
  files: Files = {},
): Promise<{ readonly folder: string; readonly api: ApiServer }> {
  const api = await startApi({ "*": ({ path }) => ({ body: { path } }) })
  onTestFinished(() => api.close())
  return { folder: await testFolder({ ...shopFiles(api.url, blocks), ...files }), api }
}
