// For tests: a project that names everything in every way.

const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`

const checkout = json({
  version: 1,
  inputs: { sku: { type: "string", required: true }, amount: { type: "number", default: 1 } },
  blocks: [
    {
      id: "login",
      type: "request",
      request: {
        api: "shop",
        operation: "login",
        overrides: { params: { header: { "X-Key": "{{apiKey}}" } } },
      },
    },
    {
      id: "all",
      type: "loop",
      mode: "forEach",
      source: "login.response.body.items",
      iteratorVar: "item",
      blocks: [
        {
          id: "add-{{item.sku}}",
          type: "request",
          request: {
            api: "shop",
            instance: "add",
            overrides: {
              body: { sku: "{{item.sku}}", note: "{{login.response.body.names.{{sku}}}} {{amount}}" },
            },
          },
        },
      ],
    },
    {
      id: "check",
      type: "assert",
      assertions: [
        { source: "login.response.status", operator: "equals", value: 200 },
        { source: "login.response.body.token", operator: "equals", value: "{{env.shop.apiKey}}" },
        { source: '["add-a1"].response.status', operator: "equals", value: "{{sku}}" },
      ],
    },
    { id: "total", type: "transform", script: { name: "sums", exportName: "total" } },
  ],
})

const script = `import type { TransformContext } from "@callsheet/sdk"

export function total(ctx: TransformContext) {
  const token = ctx.get<string>("login.response.body.token")
  if (!ctx.has("login.response.status")) return {}
  const cache = new Map([["login", 1]])
  cache.get("login")
  return { token, sku: ctx.inputs.sku, key: ctx.env("shop").apiKey, amount: ctx.inputs["amount"] }
}
`

const saved = json({
  version: 1,
  operation: "addItem",
  body: { sku: "{{sku}}", token: "{{login.response.body.token}}", key: "{{apiKey}}" },
})

const settings = json({
  version: 1,
  defaults: { env: { shop: "local" } },
  helpers: ["clean"],
  suites: {
    nightly: {
      before: [{ workflow: "checkout", as: "first", inputs: { sku: "a1" } }],
      workflows: [
        {
          workflow: "checkout",
          data: "rows/orders.csv",
          finally: [{ workflow: "clean", inputs: { token: "{{login.response.body.token}}" } }],
        },
        {
          workflow: "clean",
          inputs: { token: "{{first.login.response.body.token}}" },
          env: { shop: "test" },
        },
      ],
    },
  },
})

const document = json({
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  paths: {
    "/login": {
      post: {
        operationId: "login",
        summary: "Log in.",
        responses: {
          200: {
            description: "The session.",
            content: { "application/json": { schema: { $ref: "#/components/schemas/Session" } } },
          },
        },
      },
    },
    "/items": {
      post: { operationId: "addItem", tags: ["cart"], responses: { 201: { description: "Added." } } },
    },
  },
  components: {
    schemas: {
      Session: {
        type: "object",
        properties: {
          token: { type: "string" },
          items: { type: "array", items: { type: "object", properties: { sku: { type: "string" } } } },
          names: { type: "object" },
        },
      },
    },
  },
})

export const shopFiles = {
  "apis/workflow/checkout.json": checkout,
  "apis/workflow/clean.json": json({
    version: 1,
    inputs: { token: { type: "string" } },
    blocks: [
      { id: "end", type: "request", request: { api: "shop", operation: "login" } },
      { id: "seen", type: "assert", assertions: [{ source: "token", operator: "exists" }] },
    ],
  }),
  "apis/workflow/scripts/checkout/sums.ts": script,
  "apis/shop/openapi.json": document,
  "apis/shop/requests/cart/add.json": saved,
  "apis/shop/environments/schema.json": json({
    version: 1,
    variables: {
      baseUrl: { type: "string", required: true },
      apiKey: { type: "string", required: true, secret: true },
      timeout: { type: "number", required: false },
    },
  }),
  "apis/shop/environments/local.json": json({ baseUrl: "http://localhost:1", timeout: 5000 }),
  "apis/shop/environments/local.secrets.env": "# ours\nexport apiKey='hunter2-canary' # note\n",
  "apis/shop/environments/test.json": json({ extends: "local", apiKey: "in-the-wrong-file" }),
  "callsheet.json": settings,
  "rows/orders.csv": "sku,amount\na1,1\na2,2\n",
}

export type ShopFile = keyof typeof shopFiles

/** Returns the files with a caret before the first occurrence of a text in one of them. */
export function withCaret(file: ShopFile, before: string, skipped = 0): typeof shopFiles {
  const text = shopFiles[file]
  let at = -1
  for (let found = 0; found <= skipped; found++) at = text.indexOf(before, at + 1)
  if (at === -1) throw new Error(`${file} doesn't contain ${before}`)
  return { ...shopFiles, [file]: `${text.slice(0, at)}‸${text.slice(at)}` }
}
