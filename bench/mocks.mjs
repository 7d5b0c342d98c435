// Compares `callsheet mock` with Prism: the time per request, with checks of requests on. Installs Prism on first use.

import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { mkdir } from "node:fs/promises"
import { Agent, request } from "node:http"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { median } from "./measure.mjs"

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const folder = here("../node_modules/.cache/callsheet/prism")
const prism = join(folder, "node_modules/.bin/prism")
const prismPackage = "@stoplight/prism-cli@5.14.2"
const shop = here("../examples/shop")
/** The bar: 3,000 requests per second. */
const MAX_MICROSECONDS = 1_000_000 / 3_000

const requests = {
  "GET with a path parameter": { method: "GET", path: "/products/CUP-1" },
  "POST with a body": {
    method: "POST",
    path: "/sessions",
    body: JSON.stringify({ email: "ann@example.com", password: "correct-horse" }),
  },
}

/** Returns a row beside Prism and one beside the bar for each kind of request. */
export async function compareMocks({ program, rounds, count, progress }) {
  await install()
  const ours = await start([...program, "mock", "--api", "shop", "--project", shop], /^shop (\S+)/m)
  const theirs = await start(
    [prism, "mock", "--port", "0", join(shop, "apis/shop/openapi.json")],
    /listening on (\S+)/,
  )
  try {
    const rows = []
    for (const [what, sent] of Object.entries(requests)) {
      const times = { ours: [], theirs: [] }
      for (let round = 0; round <= rounds; round++) {
        const own = await load(ours.url, sent, count)
        const other = await load(theirs.url, sent, Math.ceil(count / 10))
        // The first round only warms both up.
        if (round === 0) continue
        times.ours.push(own)
        times.theirs.push(other)
        progress(`(w) mocks, ${what}: ${round} of ${rounds}`)
      }
      rows.push(...rowsOf(what, times))
    }
    progress("")
    return rows
  } finally {
    await Promise.all([ours.stop(), theirs.stop()])
  }
}

function rowsOf(what, { ours, theirs }) {
  const own = median(ours)
  const row = { what: `(w) a mock answers ${what}`, measured: "wall", ours: `${own.toFixed(0)} µs` }
  return [
    {
      ...row,
      baseline: `Prism ${median(theirs).toFixed(0)} µs`,
      ratio: median(ours.map((each, at) => each / theirs[at])),
      goal: 0.33,
    },
    { ...row, baseline: `at most ${MAX_MICROSECONDS.toFixed(0)} µs`, ratio: own / MAX_MICROSECONDS, goal: 1 },
  ]
}

async function install() {
  if (existsSync(prism)) return
  await mkdir(folder, { recursive: true })
  const npm = spawn("npm", ["install", "--no-audit", "--no-fund", "--prefix", folder, prismPackage], {
    stdio: "inherit",
  })
  const [code] = await once(npm, "exit")
  if (code !== 0) throw new Error("Prism could not be installed")
}

async function start([command, ...words], pattern) {
  const child = spawn(command, words, {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NO_COLOR: "1" },
  })
  const exited = once(child, "exit")
  const url = await new Promise((resolve, reject) => {
    let text = ""
    child.stdout.setEncoding("utf8").on("data", (more) => {
      if (text.length < 100_000) text += more
      const found = pattern.exec(text)
      if (found !== null) resolve(found[1])
    })
    exited.then(() => reject(new Error(`${command} ended: ${text}`)), reject)
  })
  return {
    url,
    stop: async () => {
      child.kill("SIGINT")
      await exited
    },
  }
}

/** Sends requests over 16 connections. Returns the microseconds per request. */
async function load(url, sent, count) {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  const begun = performance.now()
  let left = count
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      while (left-- > 0) await send(url, sent, agent)
    }),
  )
  agent.destroy()
  return ((performance.now() - begun) * 1000) / count
}

function send(url, { method, path, body }, agent) {
  return new Promise((resolve, reject) => {
    const headers =
      body === undefined
        ? {}
        : { "content-type": "application/json", "content-length": Buffer.byteLength(body) }
    const sending = request(url + path, { method, headers, agent }, (response) => {
      if (response.statusCode >= 300) reject(new Error(`${method} ${path} gets ${response.statusCode}`))
      response.resume().on("end", resolve)
    })
    sending.on("error", reject).end(body)
  })
}
