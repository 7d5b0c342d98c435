// Compares 200 virtual users of the sample's checkout with the same requests by Artillery's own HTTP engine. Not a test:
// prints the ratio of requests per second of CPU, and per second.
//
//     npm run test:artillery && node bench/artillery.mjs

import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const modules = fileURLToPath(new URL("../tests/artillery/node_modules", import.meta.url))
const callsheet = fileURLToPath(new URL("../packages/cli/bin/callsheet.js", import.meta.url))
const print = (text) => process.stdout.write(`${text}\n`)
const ROUNDS = 2
const folder = mkdtempSync(join(tmpdir(), "callsheet-load-"))
const demo = spawn(process.execPath, [callsheet, "demo", "shop", "--keep"], { cwd: folder })
await new Promise((resolve) => {
  for (const stream of [demo.stdout, demo.stderr])
    stream.on("data", (chunk) => chunk.includes("Ctrl-C") && resolve())
})

const [shop, payments] = ["shop", "payments"].map(
  (api) => JSON.parse(readFileSync(join(folder, `shop/apis/${api}/environments/base.json`), "utf8")).baseUrl,
)
const secret = (api, name) =>
  new RegExp(`^${name}=(.*)$`, "m").exec(
    readFileSync(join(folder, `shop/apis/${api}/environments/local.secrets.env`), "utf8"),
  )[1]
const key = { "x-api-key": secret("payments", "apiKey") }
const bearer = { authorization: "Bearer {{ token }}" }
const order = `${shop}/orders/{{ order }}`
const capture = (...pairs) => pairs.map(([json, as]) => ({ json: `$.${json}`, as }))
const get = (url, headers = {}, more = {}) => ({ get: { url, headers, ...more } })
const post = (url, json, more = {}) => ({ post: { url, ...(json === undefined ? {} : { json }), ...more } })

const requests = [
  post(
    `${shop}/sessions`,
    { email: "ada@shop.example", password: secret("shop", "password") },
    { capture: capture(["token", "token"]) },
  ),
  get(`${shop}/products/MUG-01`),
  post(
    `${shop}/orders`,
    {
      reference: "gift-{{ $uuid }}",
      express: false,
      note: null,
      shipTo: {
        name: "Grace Example",
        street: "Lighthouse Road 3",
        postcode: "20457",
        city: "Lübeck",
        country: "DE",
      },
      lines: [{ sku: "MUG-01", quantity: 2 }],
    },
    { headers: { "idempotency-key": "checkout-{{ $uuid }}", ...bearer }, capture: capture(["id", "order"]) },
  ),
  get(`${shop}/products?category=tea&size=2`),
  post(`${order}/lines`, { sku: "TEA-01", quantity: 1 }),
  post(`${order}/lines`, { sku: "TEA-02", quantity: 1 }),
  get(order, {}, { capture: capture(["lines[0].id", "a"], ["lines[1].id", "b"], ["lines[2].id", "c"]) }),
  ...["a", "b", "c"].map((line) => get(`${order}/lines/{{ ${line} }}`)),
  post(`${payments}/cards`, undefined, {
    headers: key,
    form: { number: "4242424242424242", expiry: "12/49", cvc: "123", holder: "Ada Example" },
    capture: capture(["token", "card"]),
  }),
  post(
    `${payments}/payments`,
    { orderId: "{{ order }}", card: "{{ card }}", amount: { amount: 5880, currency: "EUR" } },
    { headers: key, capture: capture(["id", "payment"], ["ledgerEntry", "entry"]) },
  ),
  post(`${payments}/payments/{{ payment }}/capture`, undefined, { headers: key }),
  get(`${payments}/payments?ledgerEntry={{ entry }}`, key),
  ...[1, 2, 3].map(() => get(`${order}/shipment`)),
  get(`${payments}/receipts/{{ payment }}/latest`, key),
  { delete: { url: order } },
  get(order),
  { delete: { url: `${shop}/sessions/current` } },
]

const phases = [{ duration: 1, arrivalCount: 200 }]
const scripts = {
  callsheet: {
    config: { target: shop, phases, engines: { callsheet: { env: "local", timeoutMs: 120_000 } } },
    scenarios: [{ engine: "callsheet", workflow: "checkout" }],
  },
  http: { config: { target: shop, phases, http: { timeout: 120 } }, scenarios: [{ flow: requests }] },
}

/** Returns requests per second, and per second of the CPU of Artillery and its processes. */
async function measure(name) {
  const file = join(folder, "shop", `load-${name}.json`)
  const output = join(folder, "result.json")
  writeFileSync(file, JSON.stringify(scripts[name]))
  const node = join(modules, "node/bin/node")
  const words = [join(modules, "artillery/bin/run"), "run", "--quiet", "--output", output, file]
  const environment = { PATH: process.env.PATH, HOME: process.env.HOME, ARTILLERY_DISABLE_TELEMETRY: "true" }
  // `time` counts the processes that Artillery waited for, too.
  const child = spawn("bash", ["-c", 'TIMEFORMAT="%U %S"; time "$@"', "bash", node, ...words], {
    env: environment,
  })
  let text = ""
  child.stderr.on("data", (chunk) => (text += chunk))
  await new Promise((resolve) => child.on("close", resolve))
  const cpu = text
    .trim()
    .split("\n")
    .at(-1)
    .split(" ")
    .map(Number)
    .reduce((sum, part) => sum + part, 0)
  const { counters, firstCounterAt, lastCounterAt } = JSON.parse(readFileSync(output, "utf8")).aggregate
  const sent = counters["callsheet.requests"] ?? counters["http.requests"]
  const seconds = (lastCounterAt - firstCounterAt) / 1000
  return { perSecond: sent / seconds, perCpu: sent / cpu, sent, completed: counters["vusers.completed"] }
}

const best = {}
for (let round = 0; round < ROUNDS; round++)
  for (const name of ["http", "callsheet"]) {
    const found = await measure(name)
    print(`${name} ${JSON.stringify(found)}`)
    best[name] ??= found
    for (const field of ["perSecond", "perCpu"])
      best[name] = { ...best[name], [field]: Math.max(best[name][field], found[field]) }
  }
print(`callsheet : http, requests per second ${(best.callsheet.perSecond / best.http.perSecond).toFixed(2)}`)
print(`callsheet : http, requests per CPU second ${(best.callsheet.perCpu / best.http.perCpu).toFixed(2)}`)
demo.kill("SIGINT")
rmSync(folder, { recursive: true, force: true })
