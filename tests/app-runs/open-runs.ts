// The handlers of runs over a real directory and a separate server, as the app calls them.

import { onTestFinished } from "vitest"
import { createRunHandlers, type AppEvent, type RunHandlersOptions } from "@callsheet/server"
import { makeFolder, scriptEntry, type Files } from "../app-project/open-project.ts"
import { startApi, type Answer, type Route } from "../harness/api-server.ts"
import { workOutImport } from "../../packages/server/src/imports/work-out-import.ts"
import { withPorts } from "../../packages/cli/src/session/with-ports.ts"

export interface OpenRunsOptions extends Partial<RunHandlersOptions> {
  readonly routes?: Readonly<Record<string, Answer | Route>>
  readonly files: (url: string) => Files
}

export type OpenRuns = Awaited<ReturnType<typeof openRuns>>

/** A long time limit, because the machine may be busy. */
const BOUND_MS = 20_000

export async function openRuns({ routes = {}, files, ...options }: OpenRunsOptions) {
  const api = await startApi(routes)
  onTestFinished(api.close)
  const root = options.root ?? (await makeFolder(files(api.url)))
  const state = options.state ?? (await makeFolder({}))
  const bugs: unknown[] = []
  const processEnvironment = options.processEnvironment ?? {}
  const runs = createRunHandlers({
    processEnvironment,
    withPorts: (start, use) => withPorts({ root, processEnvironment, scriptEntry, ...start }, use),
    previewImport: workOutImport,
    isRemote: () => false,
    onBug: (error) => bugs.push(error),
    ...options,
    root,
    state,
  })
  onTestFinished(runs.close)
  const events: AppEvent[] = []
  runs.events.subscribe((event) => void events.push(structuredClone(event)))
  const { handlers } = runs
  const isDone = async (run: string) => (await handlers["runs.read"]({ run })).isDone
  return {
    ...runs,
    api,
    root,
    state,
    bugs,
    events,
    read: (run: string) => handlers["runs.read"]({ run }),
    list: async (workflow = "w") => (await handlers["runs.list"]({ workflow })).runs,
    order: (order: Partial<StartInput> = {}) =>
      handlers["runs.start"]({ workflow: "w", environments: { shop: "local" }, inputs: {}, ...order }),
    /** Starts a run that asks no question. */
    start: async (order: Partial<StartInput> = {}) => {
      const started = await handlers["runs.start"]({
        workflow: "w",
        environments: { shop: "local" },
        inputs: {},
        ...order,
      })
      if (!("run" in started)) throw new Error("the run asks first")
      return started.run
    },
    done: (run: string) => until(() => isDone(run)),
  }
}

type StartInput = Parameters<ReturnType<typeof createRunHandlers>["handlers"]["runs.start"]>[0]

/** Removes times from a report, which are all that two runs may differ in. */
export const withoutTimes = (json: string): string =>
  json
    .replaceAll(/"durationMs":[\d.]+/g, '"durationMs":0')
    .replaceAll(/"startedAt":"[^"]*"/g, '"startedAt":""')
    .replaceAll(/,"startMs":\d+/g, "")
    .replaceAll(/"date":"[^"]*"/g, '"date":""')

/** Polls until the condition is true or the time is up. */
export async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  const end = Date.now() + BOUND_MS
  while (!(await holds())) {
    if (Date.now() > end) throw new Error("the condition was not met in time")
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
