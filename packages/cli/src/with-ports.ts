// Opens the ports of a run, and always closes them.

import { createNodePorts, defaultConcurrency, type Ports } from "@callsheet/engine"
import { readProjectFile } from "@callsheet/project"
import { version } from "./version.ts"

interface World extends Omit<Parameters<typeof createNodePorts>[0], "concurrency" | "files" | "userAgent"> {
  readonly root: string
  readonly concurrency?: number | undefined
}

export async function withPorts<T>(world: World, use: (ports: Ports) => Promise<T>): Promise<T> {
  const ports = createNodePorts({
    ...world,
    concurrency: world.concurrency ?? defaultConcurrency,
    files: {
      read: async (path: string) => readProjectFile(world.root, path),
      openRows: async (file) => (await import("./open-rows.ts")).openRows(world.root, file),
    },
    userAgent: `callsheet/${version}`,
  })
  // Script processes don't keep this process alive. Without a timer, it could exit with half a report.
  const alive = setInterval(() => undefined, 2 ** 30)
  try {
    return await use(ports)
  } finally {
    ports.http.close()
    await ports.scripts.close().finally(() => clearInterval(alive))
  }
}
