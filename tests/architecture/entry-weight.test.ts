// Limits the modules that a command loads. Loading takes time, and a library in every run costs every user.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { loadedModules, type LoadedModules } from "./loaded-modules.ts"

const project = mkdtempSync(join(tmpdir(), "callsheet-weight-"))
let server: Server

beforeAll(async () => {
  server = createServer((_request, response) =>
    response.setHeader("content-type", "application/json").end('{"ok":true}'),
  )
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve)
  })
  const { port } = server.address() as AddressInfo
  const operation = { operationId: "getItem", responses: { 200: { description: "An item." } } }
  const files: Readonly<Record<string, unknown>> = {
    "apis/shop/openapi.json": {
      openapi: "3.1.0",
      info: { title: "Shop", version: "1" },
      paths: { "/item": { get: operation } },
    },
    "apis/shop/environments/schema.json": {
      version: 1,
      variables: { baseUrl: { type: "string", required: true } },
    },
    "apis/shop/environments/local.json": { baseUrl: `http://127.0.0.1:${port}` },
    "apis/workflow/one.json": {
      version: 1,
      blocks: [
        { id: "get", type: "request", request: { api: "shop", operation: "getItem" } },
        {
          id: "check",
          type: "assert",
          assertions: [{ source: "get.response.body.ok", operator: "equals", value: true }],
        },
      ],
    },
  }
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(project, path)), { recursive: true })
    writeFileSync(join(project, path), JSON.stringify(content))
  }
})

afterAll(() => {
  server.close()
  rmSync(project, { recursive: true, force: true })
})

describe("callsheet --help", () => {
  it("loads the command table, and no command's code and no network module", async () => {
    const loaded = await loadedModules({ parameters: ["--help"], cwd: project, needs: ["util"] })
    expect(loaded.exitCode, loaded.output).toBe(0)
    expect(loaded.sources).toContain("packages/cli/src/main.ts")
    expect(parts(loaded)).toEqual(["packages/cli"])
    expect(network(loaded)).toEqual([])
  })
})

describe("callsheet env list", () => {
  it("never loads the engine, the document reader or a network module", async () => {
    const loaded = await loadedModules({ parameters: ["env", "list"], cwd: project, needs: ["util"] })
    expect(loaded.exitCode, loaded.output).toBe(0)
    expect(loaded.output).toContain("local")
    expect(parts(loaded)).toEqual(["packages/cli", "packages/format", "packages/project"])
    expect(libraries(loaded)).toEqual([])
    expect(network(loaded)).toEqual([])
  })
})

describe("callsheet run", () => {
  it("loads only what a plain request needs", async () => {
    const loaded = await loadedModules({ parameters: ["run", "one"], cwd: project, needs: ["util", "http"] })
    expect(loaded.exitCode, loaded.output).toBe(0)
    expect(parts(loaded)).toContain("packages/engine")
    expect(parts(loaded)).not.toContain("packages/mock")
    expect(libraries(loaded)).toEqual([])
    const ofOthers = ["packages/engine/src/node/script/", "packages/engine/src/session/open-services.ts"]
    expect(loaded.sources.filter((source) => ofOthers.some((part) => source.startsWith(part)))).toEqual([])
    const ofValidate = [
      "packages/openapi/src/standard/",
      "packages/language/src/validate/validate-project.ts",
      "packages/language/src/validate/check-settings.ts",
      "packages/language/src/suites/resolve-suite.ts",
    ]
    expect(loaded.sources.filter((source) => ofValidate.some((part) => source.startsWith(part)))).toEqual([])
    expect(network(loaded)).toEqual(["http"])
  })
})

describe("callsheet validate", () => {
  it("for a valid project without scripts and YAML loads no library, no network module, and no engine", async () => {
    const loaded = await loadedModules({ parameters: ["validate"], cwd: project, needs: ["util"] })
    expect(loaded.exitCode, loaded.output).toBe(0)
    expect(parts(loaded)).toContain("packages/language")
    expect(distinct(loaded.sources.filter((source) => source.startsWith("packages/engine/")))).toEqual([
      cache,
      "packages/engine/src/node/lazy-script-port.ts",
      "packages/engine/src/node/outline-store.ts",
    ])
    // Only the published schemas of OpenAPI and JSON Schema, not the code of these packages.
    expect(code(loaded)).toEqual([])
    expect(network(loaded)).toEqual([])
  })
})

/** The module of V8's compiled code, which every command uses. */
const cache = "packages/engine/src/node/cache-folder.ts"

/** A table without imports, which the command table reads. */
const optionRows = "packages/format/src/run-option-rows.ts"

/** The loaded packages of ours. */
function parts({ sources }: LoadedModules): readonly string[] {
  return distinct(
    sources
      .filter((source) => source !== cache && source !== optionRows)
      .map((source) => /^packages\/[^/]+/.exec(source)?.[0]),
  )
}

/** The loaded libraries. */
function libraries({ sources }: LoadedModules): readonly string[] {
  return distinct(sources.map((source) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1]))
}

const code = ({ sources, ...loaded }: LoadedModules) =>
  libraries({ ...loaded, sources: sources.filter((source) => !source.endsWith(".json")) })

/** Node's own modules that take time to load. */
function network({ builtins }: LoadedModules): readonly string[] {
  const dear =
    "child_process crypto fs/promises http http2 https perf_hooks readline tls worker_threads zlib".split(" ")
  return dear.filter((name) => builtins.includes(name))
}

function distinct(names: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(names.filter((name) => name !== undefined))].sort()
}
