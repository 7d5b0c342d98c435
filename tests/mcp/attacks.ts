// Workflows with which an agent tries to read a secret. Each asks questions whose answers depend on its characters.

type Json = Readonly<Record<string, unknown>>

export interface Attack {
  readonly blocks: readonly Json[]
  readonly workflow?: Json
  /** The existing workflow to change. By default, a new one. */
  readonly into?: string
  readonly run?: Json
  /** True if it guesses a whole secret. Masking then shows which of its own values are the secret. */
  readonly isWhole?: boolean
}

const characters = Array.from("0123456789abcdefghijklmnopqrstuvwxyzAZ-")
const check = (source: string, operator: string, value?: unknown): Json => ({
  source,
  operator,
  ...(value === undefined ? {} : { value }),
})
const assert = (id: string, ...assertions: readonly Json[]): Json => ({ id, type: "assert", assertions })
/** One block per question, so that each has a verdict. */
const ask = (questions: readonly Json[]): readonly Json[] =>
  questions.map((one, at) => assert(`ask${at}`, one))
const contains = (source: string): readonly Json[] =>
  ask(characters.map((character) => check(source, "contains", character)))
const bounds = (source: string): readonly Json[] =>
  ask(
    [1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000, 9000].map((bound) =>
      check(source, "greaterThan", bound),
    ),
  )
const echo = (id: string, params: Json = {}): Json => ({
  id,
  type: "request",
  request: { api: "vault", operation: "echo", overrides: { params } },
})
const post = (id: string, body: Json): Json => ({
  id,
  type: "request",
  request: { api: "vault", operation: "post", overrides: { body } },
})
const transform = (id: string, transforms: Json): Json => ({ id, type: "transform", transforms })
const scripted = (id: string, type: string, exportName: string, more: Json = {}): Json => ({
  id,
  type,
  script: { name: "peek", exportName },
  ...more,
})
const branches = { then: [echo("yes")], else: [echo("no"), echo("never")] }
const key = "{{env.vault.apiKey}}"
const pin = "{{env.vault.pin}}"
const short = "{{env.vault.short}}"
/** An object with the guess as a name: `table.response.body.json.q7`. */
const table = post("table", { q7: 1, z9: 2, deep: { q7: [3] } })

export const attacks: Readonly<Record<string, Attack>> = {
  "asks for each character": { blocks: contains("env.vault.apiKey") },
  "asks for each two characters": {
    blocks: ask(characters.map((one) => check("env.vault.apiKey", "contains", `s${one}`))),
  },
  "halves the range of a number": { blocks: bounds("env.vault.pin") },
  "halves it from above": {
    blocks: ask([4000, 5000, 6000].map((bound) => check("env.vault.pin", "lessThan", bound))),
  },
  "guesses a number": {
    blocks: ask(
      [4711, 8123, 1].flatMap((guess) => [
        check("env.vault.pin", "equals", guess),
        check("env.vault.pin", "notEquals", guess),
      ]),
    ),
  },
  "compares the other way around": {
    workflow: { inputs: { q: { type: "string", default: "q7 z9" }, n: { type: "number", default: 5000 } } },
    blocks: ask([check("q", "contains", short), check("n", "greaterThan", pin), check("n", "equals", pin)]),
  },
  "puts the secret into a text": {
    workflow: { inputs: { q: { type: "string", default: "a q7 z9 b" } } },
    blocks: ask([
      check("q", "contains", `${short} `),
      check("q", "equals", `a ${short}`),
      check("q", "notEquals", `x${pin}`),
    ]),
  },
  "branches on a character": {
    blocks: characters.slice(0, 20).map((one, at) => ({
      id: `c${at}`,
      type: "condition",
      if: check("env.vault.apiKey", "contains", one),
      then: [echo(`y${at}`)],
      else: [echo(`n${at}`)],
    })),
  },
  "branches on a number": {
    blocks: [{ id: "c", type: "condition", if: check("env.vault.pin", "lessThan", 5000), ...branches }],
  },
  "polls until a guess holds": {
    blocks: [
      {
        id: "poll",
        type: "loop",
        mode: "until",
        iteratorVar: "i",
        maxIterations: 12,
        until: check("env.vault.apiKey", "contains", "{{i}}-"),
        blocks: [echo("polled")],
      },
    ],
  },
  "loops over guesses": {
    blocks: [
      table,
      {
        id: "each",
        type: "loop",
        mode: "times",
        count: 10,
        iteratorVar: "i",
        blocks: [assert("q-{{i}}", check("env.vault.apiKey", "contains", "{{i}}-"))],
      },
    ],
  },
  "copies the secret": {
    blocks: [
      transform("one", { key: "env.vault.apiKey", pin: "env.vault.pin", short: "env.vault.short" }),
      transform("two", { key: "one.key", pin: "one.pin" }),
      ...contains("two.key"),
      assert("low", check("two.pin", "lessThan", 5000)),
      assert("short", check("one.short", "equals", "q7")),
    ],
  },
  "lets the server echo it": {
    blocks: [
      echo("first", { header: { "x-give": key }, query: { key, pin } }),
      post("second", { key, pin: "{{env.vault.pin}}", both: `${key}${pin}` }),
      ...contains("first.response.headers.x-echo"),
      assert("query", check("first.response.body.query.key", "contains", "s3")),
      assert("path", check("second.response.body.text", "contains", "s3")),
      assert("pin", check("second.response.body.json.pin", "lessThan", 5000)),
      assert("both", check("second.response.body.json.both", "contains", "01")),
      assert("list", check("first.response.body.list", "contains", "none")),
      assert("whole", check("second.response.body", "equals", { key: "x" })),
    ],
  },
  "encodes it": {
    blocks: [
      echo("first", {
        header: { authorization: `Basic ${key}`, "x-give": `a=${key}&b=${pin}` },
        cookie: { crumb: key },
      }),
      ...contains("first.response.headers.x-echo"),
    ],
  },
  "iterates over an echo": {
    blocks: [
      echo("first", { header: { "x-give": short } }),
      echo("again", { header: { "x-give": key } }),
      {
        id: "each",
        type: "loop",
        mode: "forEach",
        source: "first.response.body.list",
        iteratorVar: "item",
        blocks: [echo("b-{{item}}"), assert("a", check("item", "equals", "q7"))],
      },
      {
        id: "every",
        type: "loop",
        mode: "forEach",
        source: "again.response.body.list",
        iteratorVar: "item",
        blocks: [assert("k", check("item", "contains", "s3"))],
      },
      assert("id", check("b-q7.response.status", "exists")),
    ],
  },
  "selects a member by it": {
    blocks: [
      table,
      ...ask([
        check(`table.response.body.json.${short}`, "exists"),
        check(`table.response.body.json.${short}`, "equals", 1),
        check("table.response.status", "equals", `{{table.response.body.json.${short}}}`),
        check(`table.response.body.json.deep.${short}.0`, "notExists"),
      ]),
      echo("sent", { query: { key: `{{table.response.body.json.${short}}}` } }),
      transform("picked", { out: `table.response.body.json.${short}` }),
      assert("left", check("picked.out", "exists")),
    ],
  },
  "selects a block by it": {
    blocks: [
      echo("q7-z9"),
      ...ask([
        check(`${short}.response.status`, "exists"),
        check(`{{env.vault.short}}.response.status`, "equals", 200),
      ]),
      { id: "l", type: "loop", mode: "forEach", source: `${short}.response.body.list`, blocks: [echo("in")] },
    ],
  },
  "guesses an item of a list": {
    isWhole: true,
    blocks: [
      post("own", { list: ["a", "q7"], pins: [4711, 1] }),
      ...ask([
        check("own.response.body.json.list", "contains", short),
        check("own.response.body.json.list", "equals", ["a", short]),
        check("own.response.body.json.pins", "contains", pin),
      ]),
    ],
  },
  "guesses a name that the server echoes": {
    isWhole: true,
    blocks: [
      echo("first", { header: { "x-name": key } }),
      echo("second", { header: { "x-name": short } }),
      transform("copy", { named: "first.response.body.named", one: "second.response.body.named.q7" }),
      ...ask([
        check("first.response.body.named.s3cr3t-Alpha-0451", "exists"),
        check("second.response.body.named.q7", "equals", 2),
        check("copy.named.s3cr3t-Alpha-0451", "hasValue"),
        check("copy.one", "exists"),
      ]),
      echo("sent", { query: { pin: "{{second.response.body.named.q7}}" } }),
    ],
  },
  "names a request by it": {
    blocks: [
      { id: "i", type: "request", request: { api: "vault", instance: short } },
      { id: "o", type: "request", request: { api: "vault", operation: `ec${short}` } },
      { id: "r", type: "request", request: { api: "vault", resource: short, instance: "q7" } },
    ],
  },
  "reads a file that it names": {
    blocks: [{ id: "f", type: "request", request: { api: "vault", instance: "picked" } }],
  },
  "compares it with the contract": {
    workflow: { validateContracts: true },
    blocks: [
      echo("a", { query: { key, pin }, header: { "x-give": key }, cookie: { crumb: key } }),
      post("b", { key, pin: "{{env.vault.pin}}" }),
      {
        id: "t",
        type: "request",
        request: { api: "vault", operation: "thing", overrides: { params: { path: { id: pin } } } },
      },
      echo("c", { query: { pin: `1${pin}` }, header: { "x-give": `a${key}` } }),
      ...ask([
        check("a.response.status", "equals", 500),
        check("b.response.status", "equals", 500),
        check("t.response.status", "equals", 500),
        check("c.response.status", "equals", 500),
      ]),
    ],
  },
  "completes a list with it": {
    blocks: [
      echo("a", { query: { ids: `[1${pin}]` } }),
      echo("b", { query: { ids: `["${key}"]` } }),
      echo("c", { query: { ids: `[${key}` } }),
    ],
  },
  "uploads the secrets of another environment": {
    blocks: [
      { id: "u", type: "request", request: { api: "vault", instance: "upload" } },
      ...contains("u.response.body.text"),
    ],
  },
  "lets a script cut it": {
    into: "scripted",
    blocks: [
      scripted("t", "transform", "first"),
      ...contains("t.letter"),
      scripted("s", "transform", "spread"),
      ...ask([check("s.s", "exists"), check("s", "equals", { s: 1 })]).map((block) => ({
        ...block,
        id: `s${String(block["id"])}`,
      })),
      scripted("n", "transform", "items"),
      { id: "l", type: "loop", mode: "forEach", source: "n.list", blocks: [echo("in")] },
    ],
  },
  "lets a script decide": {
    into: "scripted",
    blocks: [
      transform("copy", { key: "env.vault.apiKey" }),
      scripted("c", "condition", "isLow", branches),
      scripted("d", "condition", "copies", { then: [echo("yes2")], else: [echo("no2")] }),
      scripted("a", "assert", "claims"),
      {
        id: "u",
        type: "loop",
        mode: "until",
        maxIterations: 2,
        script: { name: "peek", exportName: "isLow" },
        blocks: [echo("in")],
      },
      scripted("n", "transform", `{{env.vault.short}}`),
    ],
  },
  "compares inputs of a suite": {
    into: "given",
    workflow: { inputs: { key: { type: "string" }, pin: { type: "number" }, short: { type: "string" } } },
    run: { suite: "all", environment: "local" },
    blocks: [
      ...contains("key"),
      assert("low", check("pin", "lessThan", 5000)),
      assert("is", check("short", "equals", "q7")),
      scripted("g", "condition", "given", branches),
    ],
  },
}
