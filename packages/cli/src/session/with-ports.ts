// Opens the ports of runs and closes them.

import { createNodePorts, type Ports } from "@callsheet/engine"
import type { Services } from "@callsheet/mock"
import { runOptionRows } from "@callsheet/format"
import { checkProjectFile, readProjectFile } from "@callsheet/project"
import { version } from "../version.ts"

interface World extends Omit<Parameters<typeof createNodePorts>[0], "concurrency" | "files" | "userAgent"> {
  readonly root: string
  readonly concurrency?: number | undefined
}

/** Opens ports. `close` ends connections and script processes. */
export function openPorts(world: World): { readonly ports: Ports; readonly close: () => Promise<void> } {
  const ports = createNodePorts({
    ...world,
    concurrency: world.concurrency ?? runOptionRows.concurrency.default,
    files: {
      check: (path) => checkProjectFile(world.root, path),
      read: async (path: string) => readProjectFile(world.root, path),
      openRows: async (file) => (await import("./open-rows.ts")).openRows(world.root, file),
    },
    userAgent: `callsheet/${version}`,
  })
  // Most runs need no services.
  let services: Promise<Services> | undefined
  const loadServices = () =>
    (services ??= import("@callsheet/mock").then(({ createServices }) =>
      createServices(async (file, api) => {
        const { readAnswers } = await import("../mock/recorded-exchanges.ts")
        return readAnswers(world.root, file, api)
      }),
    ))
  return {
    ports: { ...ports, services: { open: async (order) => (await loadServices()).open(order) } },
    close: async () => {
      await (await services)?.close()
      ports.http.close()
      await ports.scripts.close()
    },
  }
}

/** Opens ports for as long as `use` runs. */
export function withPorts<T>(world: World, use: (ports: Ports) => Promise<T>): Promise<T> {
  const { ports, close } = openPorts(world)
  return keepAlive(async () => {
    try {
      return await use(ports)
    } finally {
      await close()
    }
  })
}

/** Keeps the process alive. Script processes don't, so without a timer, it could exit with half a report. */
export async function keepAlive<T>(action: () => Promise<T>): Promise<T> {
  const timer = setInterval(() => undefined, 2 ** 30)
  try {
    return await action()
  } finally {
    clearInterval(timer)
  }
}
