// The handlers of a project in a fresh directory, as the server calls them.

import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { onTestFinished } from "vitest"
import { createProjectHandlers, type ProjectHandlers, type ProjectHandlersOptions } from "@callsheet/server"

export const scriptEntry = new URL("../../packages/cli/dist/script-child.js", import.meta.url)

/** Contents by path from the root. Content that is not text is written as JSON. */
export type Files = Readonly<Record<string, unknown>>

/** A long time limit, because the machine may be busy. The promise is a second. */
const BOUND_MS = 15_000

export async function makeFolder(files: Files): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "callsheet-app-")))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  await putAll(root, files)
  return root
}

export async function putAll(root: string, files: Files): Promise<void> {
  for (const [file, content] of Object.entries(files)) {
    const path = join(root, file)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, typeof content === "string" ? content : JSON.stringify(content, undefined, 2))
  }
}

/** Opens a project with these files, or the one in a directory. */
export async function openProject(files: Files | string, options: Partial<ProjectHandlersOptions> = {}) {
  const root = typeof files === "string" ? files : await makeFolder(files)
  const project = createProjectHandlers({ root, scriptEntry, processEnvironment: {}, ...options })
  onTestFinished(project.close)
  const read = () => project.handlers["project.read"]({})
  return {
    root,
    ...project,
    read,
    problems: async () => (await project.handlers["problems.read"]({})).problems,
    operations: (api: string) => project.handlers["operations.list"]({ api }),
    put: (changed: Files) => putAll(root, changed),
    /** Waits for an event with a project that satisfies the condition. */
    until: (holds: () => Promise<boolean>) => until(project.events.subscribe, holds),
  }
}

type Subscribe = ProjectHandlers["events"]["subscribe"]

/** Checks after each event, like a page that requests nothing without one. */
function until(subscribe: Subscribe, holds: () => Promise<boolean>): Promise<readonly number[]> {
  const revisions: number[] = []
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer)
      stop()
    }
    const timer = setTimeout(() => {
      end()
      reject(new Error(`no event reported it; revisions ${revisions.join(", ")}`))
    }, BOUND_MS)
    const stop = subscribe(({ revision }) => {
      revisions.push(revision)
      holds().then(
        (isSo) => {
          if (!isSo) return
          end()
          resolve(revisions)
        },
        (error: unknown) => {
          end()
          reject(error instanceof Error ? error : new Error(String(error)))
        },
      )
    })
  })
}
