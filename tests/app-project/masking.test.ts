import { describe, expect, it } from "vitest"
import { canaries } from "../canaries/canaries.ts"
import { encodings } from "../canaries/encodings.ts"
import { openProject } from "./open-project.ts"
import { document } from "./shop.ts"

/** Long enough to be masked inside other text. The shortest secrets are masked only as whole values. */
const texts = canaries.filter((canary): canary is string => typeof canary === "string" && canary.length >= 16)

/** A server would repeat JSON or a text. The bytes next to a secret change the ends of its base64. */
function formOf(name: string, secret: string): string {
  const encode = encodings[name]
  if (encode === undefined) throw new Error(`${name} does not exist`)
  const { type, bytes } = encode(secret, 0)
  const text = type === "application/json" ? textIn(JSON.parse(bytes.toString())) : bytes.toString()
  return name.startsWith("base64") ? text.slice(4, -6) : text
}

function textIn(said: unknown): string {
  if (typeof said !== "object" || said === null || !("text" in said)) throw new Error("nothing was printed")
  return String(said.text)
}

/** The encodings in which a response could contain a secret. */
const forms = (secret: string): readonly string[] => [
  ...["raw", "percent-partial", "base64-0", "base64-1", "base64-2", "base64url", "xml"].map((name) =>
    formOf(name, secret),
  ),
  encodeURIComponent(secret),
  Buffer.from(secret).toString("base64").slice(0, -4),
]

/** The value of every free text of a project. */
const everywhere = (secret: string) => ({
  "apis/shop/openapi.json": {
    ...document,
    info: { title: `Shop ${secret}`, version: secret },
    paths: {
      "/a": {
        get: { operationId: "a", summary: `Takes ${secret}.`, description: secret, responses: {} },
        post: { summary: Buffer.from(secret).toString("base64"), responses: { [secret]: {} } },
      },
    },
  },
  "apis/shop/requests/a/described.json": {
    version: 1,
    description: `With ${secret} as the key`,
    operation: "a",
    params: { header: { "x-key": secret } },
    body: secret,
  },
  "apis/shop/requests/a/named.json": { version: 1, operation: secret },
  "apis/shop/requests/a/path.json": { version: 1, method: "GET", path: `/a/${secret}` },
  "apis/shop/requests/a/broken.json": `{"version": 1, "operation": ${JSON.stringify(secret)} "`,
  "apis/shop/requests/a/wrong.json": {
    version: 1,
    method: secret,
    path: secret,
    bodyType: secret,
    [secret]: 1,
  },
  "apis/workflow/w.json": {
    version: 1,
    onFailure: secret,
    blocks: [
      { id: "one", type: "request", description: secret, request: { api: "shop", operation: secret } },
      { id: secret, type: secret },
      { id: "two", type: "request", request: { api: secret, instance: secret, overrides: { body: secret } } },
      { id: "three", type: "assert", assertions: [{ source: secret, operator: secret, value: secret }] },
      { id: "four", type: "script", script: { name: secret, exportName: secret } },
      { id: "five", type: "transform", transforms: { a: `{{${secret}}}`, b: `{{env.shop.${secret}}}` } },
    ],
  },
  "apis/workflow/broken.json": `{"version": 1, "blocks": [${JSON.stringify(secret)}, }`,
})

const schema = {
  version: 1,
  variables: {
    baseUrl: { type: "string", required: true },
    key: { type: "string", required: true, secret: true, description: "The key" },
  },
}

const dotenv = (secret: string): string | undefined =>
  ["'", "`", '"'].flatMap((quote) =>
    secret.includes(quote) || /[\\\r]/.test(secret) ? [] : `key=${quote}${secret}${quote}\n`,
  )[0]

/** The places in which the project stores the secret. */
const homes: Readonly<Record<string, (secret: string) => Readonly<Record<string, unknown>> | undefined>> = {
  "a secrets file": (secret) => {
    const line = dotenv(secret)
    return line === undefined ? undefined : { "apis/shop/environments/local.secrets.env": line }
  },
  "a secrets file with a broken line": (secret) => {
    const line = dotenv(secret)
    return line === undefined
      ? undefined
      : { "apis/shop/environments/local.secrets.env": `${line}no line\n=x\n` }
  },
  "a value file, where it is not allowed": (secret) => ({
    "apis/shop/environments/local.json": { baseUrl: "http://127.0.0.1:1", key: secret },
  }),
  "the schema, where it is not allowed": (secret) => ({
    "apis/shop/environments/schema.json": {
      version: 1,
      variables: { ...schema.variables, key: { ...schema.variables.key, default: secret } },
    },
  }),
}

async function answersOf(files: Readonly<Record<string, unknown>>, environment = {}): Promise<string> {
  const project = await openProject(
    {
      "apis/shop/environments/schema.json": schema,
      "apis/shop/environments/local.json": { baseUrl: "http://127.0.0.1:1" },
      ...files,
    },
    { processEnvironment: environment },
  )
  const answers = [await project.read(), await project.problems(), await project.operations("shop")]
  const errors = await project.operations("nowhere").catch((error: unknown) => [String(error), error])
  project.close()
  expect(JSON.stringify(answers)).not.toContain(project.root)
  return JSON.stringify([answers, errors])
}

/** The page requests data by these names and paths and shows them, so they aren't free text and stay readable. */
const found = (answers: string, secret: string): readonly string[] =>
  forms(secret).filter(
    (form) => answers.includes(form) || answers.includes(JSON.stringify(form).slice(1, -1)),
  )

describe("no response contains a secret", () => {
  it.each(Object.keys(homes))("that %s stores, wherever else it occurs", async (home) => {
    let tried = 0
    for (const secret of texts) {
      const kept = homes[home]?.(secret)
      if (kept === undefined) continue
      tried++
      const answers = await answersOf({ ...everywhere(secret), ...kept })
      expect(answers).toContain("***")
      expect(found(answers, secret), secret).toEqual([])
    }
    expect(tried).toBeGreaterThan(5)
  })

  it("that the process has", async () => {
    for (const secret of texts) {
      const answers = await answersOf(everywhere(secret), { CALLSHEET_VAR__SHOP__KEY: secret })
      expect(answers).toContain("***")
      expect(found(answers, secret), secret).toEqual([])
    }
  })

  it("that is in a broken file, and therefore unknown", async () => {
    for (const secret of texts) {
      const answers = await answersOf({
        "apis/shop/openapi.json": document,
        "apis/shop/environments/local.secrets.env": `key ${secret}\nexport ${secret}\nkey="${secret}\n`,
        "apis/shop/environments/live.json": `{"key": ${JSON.stringify(secret)}, ${JSON.stringify(secret)}`,
        "apis/shop/environments/test.json": `{"key": ${JSON.stringify(secret)} ${JSON.stringify(secret)}}`,
        "apis/shop/environments/schema.json": `{"version": 1, "variables": {"key": ${JSON.stringify(secret)}, }`,
      })
      expect(answers).toContain("json-syntax")
      expect(answers).toContain("dotenv-syntax")
      expect(found(answers, secret), secret).toEqual([])
    }
  })
})
