// `callsheet app` as a process for a project in a fresh directory, with its own state directory, controlled by calls.

import { mkdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { onTestFinished } from "vitest"
import type { CallName, Input, Output } from "@callsheet/server"
import { makeFolder, putAll, type Files } from "../app-project/open-project.ts"
import { startCommand, type RunningCommand } from "../app-server/start-command.ts"

interface Answered<N extends CallName> {
  readonly status: number
  readonly body: Output<N>
  readonly text: string
}

interface AppProcess extends RunningCommand {
  /** Sends a call in the process's first session. Rejects if the process ends before it responds. */
  readonly ask: <N extends CallName>(name: N, input: Input<N>) => Promise<Answered<N>>
}

export interface AppPlace {
  readonly project: string
  readonly state: string
  /** Starts it. The test kills it at its end. */
  readonly start: (env?: Readonly<Record<string, string>>) => Promise<AppProcess>
}

export async function makeAppPlace(files: Files): Promise<AppPlace> {
  const folder = await makeFolder({})
  const [project, state, home] = ["project", "state", "home"].map((name) => join(folder, name))
  if (project === undefined || state === undefined || home === undefined) throw new Error("no directories")
  await putAll(project, files)
  for (const made of [state, home]) await mkdir(made)
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const env = { HOME: home, XDG_STATE_HOME: state, XDG_CACHE_HOME: join(home, "cache") }
  return {
    project,
    state,
    start: async (more = {}) => {
      const command = await startCommand({ cwd: project, env: { ...env, ...more } })
      onTestFinished(() => void command.child.kill("SIGKILL"))
      const session = await command.enter()
      return {
        ...command,
        ask: async (name, input) => {
          const { status, body } = await command.post(`/api/${name}`, input, session)
          if (status === 0) throw new Error("the app has ended before it responded")
          return { status, body: (body === "" ? undefined : JSON.parse(body)) as never, text: body }
        },
      }
    },
  }
}
