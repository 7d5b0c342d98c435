// A registry on loopback with only our packages of its own, and an environment in which package managers use it.

import { execFile, spawn, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import { mkdir, symlink, writeFile } from "node:fs/promises"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { delimiter, dirname, join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { installOnce } from "../harness/install-once.ts"

const folder = fileURLToPath(new URL(".", import.meta.url))
const modules = join(folder, "node_modules")

/** Node 22, which the registry and Artillery need. */
export const newNode = join(modules, "node/bin/node")

export interface Registry {
  readonly url: string
  readonly close: () => Promise<void>
}

/** Starts the registry. It asks npm's own registry for everything that isn't ours, and keeps its files in `place`. */
export async function startRegistry(place: string): Promise<Registry> {
  await installOnce(folder)
  await mkdir(place, { recursive: true })
  const { stdout: upstream } = await promisify(execFile)("npm", ["config", "get", "registry"])
  const words = [join(folder, "serve-registry.mjs"), place, upstream.trim()]
  const server = spawn(newNode, words, { cwd: place, stdio: ["ignore", "pipe", "inherit"] })
  const [url] = (await once(createInterface(server.stdout), "line")) as [string]
  return { url, close: () => end(server) }
}

async function end(child: ChildProcess): Promise<void> {
  const closed = once(child, "close")
  child.kill()
  await closed
}

/** A proxy that lets nothing through, and lists what was asked for: every contact except those on loopback. */
export interface Guard {
  readonly url: string
  readonly contacts: readonly string[]
  readonly close: () => Promise<void>
}

export async function startGuard(): Promise<Guard> {
  const contacts: string[] = []
  const server: Server = createServer((request, response) => {
    contacts.push(request.url ?? "")
    response.writeHead(403).end()
  })
  server.on("connect", (request, socket) => {
    contacts.push(request.url ?? "")
    socket.end("HTTP/1.1 403 Forbidden\r\n\r\n")
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    contacts,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    },
  }
}

/** Where each package manager's program is. */
const programs = {
  npm: undefined,
  pnpm: ".bin/pnpm",
  "yarn 1": "yarn/bin/yarn.js",
  "yarn 4": "@yarnpkg/cli-dist/bin/yarn.js",
  bun: ".bin/bun",
}
export type Manager = keyof typeof programs

export interface Surroundings {
  readonly registry: Registry
  readonly guard: Guard
  /** The directory of Node's program. */
  readonly node?: string
}

/**
 * The environment of someone with an empty home directory, who has one package manager. It knows only the registry.
 * `place` is a new directory.
 */
export async function createEnvironment(
  place: string,
  manager: Manager,
  { registry, guard, node = dirname(process.execPath) }: Surroundings,
): Promise<Readonly<Record<string, string>>> {
  const [home, bin] = [join(place, "home"), join(place, "bin")]
  for (const made of [home, bin]) await mkdir(made, { recursive: true })
  const program = programs[manager]
  if (program !== undefined) await symlink(join(modules, program), join(bin, manager.replace(/ .*/, "")))
  // Publishing needs a token, although the registry accepts every one.
  const token = `//${new URL(registry.url).host}/:_authToken=rehearsal\n`
  await writeFile(join(home, ".npmrc"), `registry=${registry.url}\n${token}`)
  return {
    HOME: home,
    PATH: [bin, node, process.env["PATH"]].join(delimiter),
    ...throughGuard(guard),
    npm_config_update_notifier: "false",
    npm_config_registry: registry.url,
    BUN_CONFIG_REGISTRY: registry.url,
    YARN_NPM_REGISTRY_SERVER: registry.url,
    YARN_UNSAFE_HTTP_WHITELIST: "127.0.0.1",
    YARN_ENABLE_TELEMETRY: "0",
    // These managers refuse versions that are new, as all are here.
    pnpm_config_minimum_release_age: "0",
    YARN_NPM_MINIMAL_AGE_GATE: "0",
    ARTILLERY_DISABLE_TELEMETRY: "true",
    PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: "1",
  }
}

const throughGuard = ({ url }: Guard) => ({
  http_proxy: url,
  https_proxy: url,
  HTTP_PROXY: url,
  HTTPS_PROXY: url,
  no_proxy: "127.0.0.1",
  NO_PROXY: "127.0.0.1",
})
