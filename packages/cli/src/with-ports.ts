// Opens the ports of a run, and closes them whatever happens.

import {
  createNodePorts,
  defaultConcurrency,
  type Cookies,
  type InspectOptions,
  type Ports,
  type ScriptContents,
} from "@callsheet/engine"
import { readProjectFile } from "@callsheet/project"
import { version } from "./version.ts"

interface World {
  readonly root: string
  readonly concurrency?: number | undefined
  readonly processEnvironment: Readonly<Record<string, string | undefined>>
  readonly scriptEntry: URL
  /** Scripts run one at a time, in one process that waits for a debugger, and have no time-out. */
  readonly inspectScripts?: InspectOptions | undefined
  readonly cookies?: Cookies | undefined
  /** The text of scripts that were read before. Other scripts are read once, when they are first used. */
  readonly scriptContents?: ScriptContents | undefined
}

export async function withPorts<T>(world: World, use: (ports: Ports) => Promise<T>): Promise<T> {
  const ports = createNodePorts({
    ...world,
    concurrency: world.concurrency ?? defaultConcurrency,
    files: { read: async (path: string) => readProjectFile(world.root, path) },
    userAgent: `callsheet/${version}`,
  })
  // Script processes do not keep this one alive: without a timer it would end here, before they have, with half a report.
  const alive = setInterval(() => undefined, 2 ** 30)
  try {
    return await use(ports)
  } finally {
    ports.http.close()
    await ports.scripts.close().finally(() => clearInterval(alive))
  }
}
