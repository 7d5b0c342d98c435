// The servers of the sample project, which run as long as the app. They are our own code, listen on loopback, and implement
// the documents of this installation, not those of the project.

import { attempt, isJsonObject, parseJson } from "@callsheet/format"
import { isProjectRoot, readProjectFile } from "@callsheet/project"
import type { SampleApi } from "../../../../examples/shop/server/start-sample-api.ts"
import { readExampleText } from "../find-example.ts"

/** The first ports of the four servers. The sample's environments use those from 4010 on. */
const FIRST_PORT = 4010
const firstPorts = Array.from({ length: 9 }, (_, at) => FIRST_PORT + 10 * at)

export function createSampleServers() {
  let running: Promise<SampleApi> | undefined
  const startAt = async (port: number): Promise<boolean> => {
    const { startSampleApi } = await import("../../../../examples/shop/server/start-sample-api.ts")
    const starting = startSampleApi({ port, read: (file) => readExampleText("shop", file) })
    try {
      await starting
      running = starting
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EADDRINUSE") return false
      throw error
    }
  }
  return {
    /** Starts the servers for a new sample project. Returns their first port. */
    start: async (): Promise<number> => {
      for (const port of firstPorts) if (await startAt(port)) return port
      return FIRST_PORT
    },
    /** Starts the servers if the project is the sample. Returns their first port. Other programs may use the ports. */
    startFor: async (root: string): Promise<number | undefined> => {
      const port = portOfSample(root)
      return port !== undefined && (await startAt(port)) ? port : undefined
    },
    close: async (): Promise<void> => {
      await (await running)?.close()
    },
  }
}

/** Returns the first port of the servers if the project is the sample, which its document and its base URL show. */
function portOfSample(root: string): number | undefined {
  if (!isProjectRoot(root)) return undefined
  const read = (path: string): string | undefined =>
    attempt(() => new TextDecoder().decode(readProjectFile(root, path)).replaceAll("\r\n", "\n"))
  const document = "apis/shop/openapi.json"
  const shipped = readExampleText("shop", document)
  if (read(document) !== shipped) return undefined
  const base = parseJson(read("apis/shop/environments/base.json") ?? "")
  const url = base.ok && isJsonObject(base.value) ? base.value["baseUrl"] : undefined
  return firstPorts.find((port) => url === `http://127.0.0.1:${port}`)
}

/** Returns the text of a file of the sample with the ports of its servers. */
export const withPorts = (text: string, first: number): string =>
  text.replaceAll(/(?<=\/\/127\.0\.0\.1:)401([0-3])(?!\d)/g, (_, at: string) => String(first + Number(at)))
