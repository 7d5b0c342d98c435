// The documented responses of the validation benchmark. Each has a schema, and a body that the server sends.

const schemas = {
  Order: {
    type: "object",
    required: ["id", "number", "status", "createdAt", "email", "total"],
    properties: {
      id: { type: "string", format: "uuid" },
      number: { type: "string", pattern: "^[A-Z]{2}-\\d{4,8}$" },
      status: { type: "string", enum: ["open", "paid", "shipped", "cancelled"] },
      createdAt: { type: "string", format: "date-time" },
      email: { type: "string", format: "email" },
      total: { type: "number", minimum: 0, multipleOf: 0.01 },
    },
  },
  Product: {
    type: "object",
    required: ["id", "sku", "name", "price", "stock", "supplier"],
    properties: {
      id: { type: "integer", format: "int64", minimum: 1 },
      sku: { type: "string", pattern: "^[a-z]+-\\d+$", maxLength: 40 },
      name: { type: "string", minLength: 1, maxLength: 100 },
      price: { type: "number", minimum: 0, exclusiveMaximum: 100_000, multipleOf: 0.01 },
      stock: {
        type: "object",
        required: ["count"],
        properties: {
          count: { type: "integer", format: "int32", minimum: 0 },
          checkedOn: { type: "string", format: "date" },
        },
        additionalProperties: false,
      },
      tags: { type: "array", uniqueItems: true, items: { type: "string", maxLength: 20 } },
      supplier: {
        type: "object",
        required: ["id", "email"],
        properties: {
          id: { type: "string", format: "uuid" },
          email: { type: "string", format: "email" },
          site: { type: "string", format: "uri", nullable: true },
        },
      },
    },
  },
  Card: {
    type: "object",
    required: ["kind", "last4", "expires"],
    properties: {
      kind: { type: "string" },
      last4: { type: "string", pattern: "^\\d{4}$" },
      expires: { type: "string", format: "date" },
    },
  },
  Transfer: {
    type: "object",
    required: ["kind", "iban"],
    properties: { kind: { type: "string" }, iban: { type: "string", minLength: 15, maxLength: 34 } },
  },
  Voucher: {
    type: "object",
    required: ["kind", "code", "value"],
    properties: {
      kind: { type: "string" },
      code: { type: "string", format: "uuid" },
      value: { type: "integer", minimum: 1 },
    },
  },
  Payment: {
    oneOf: ["Card", "Transfer", "Voucher"].map((name) => ({ $ref: `#/components/schemas/${name}` })),
    discriminator: {
      propertyName: "kind",
      mapping: {
        card: "#/components/schemas/Card",
        transfer: "#/components/schemas/Transfer",
        voucher: "#/components/schemas/Voucher",
      },
    },
  },
  Article: {
    type: "object",
    required: ["id", "title", "author", "paragraphs"],
    properties: {
      id: { type: "integer", format: "int64" },
      title: { type: "string", maxLength: 200 },
      publishedAt: { type: "string", format: "date-time", nullable: true },
      author: {
        type: "object",
        required: ["name"],
        properties: {
          name: { type: "string" },
          email: { type: "string", format: "email" },
          isStaff: { type: "boolean" },
        },
      },
      paragraphs: { type: "array", maxItems: 100, items: { type: "string", maxLength: 5_000 } },
      counts: { type: "object", additionalProperties: { type: "integer", minimum: 0 } },
    },
  },
}

const reference = (name) => ({ $ref: `#/components/schemas/${name}` })
const listOf = (name, more) => ({ type: "array", items: reference(name), ...more })
const uuid = (number) => `3f2504e0-4f89-41d3-9a0c-${String(number).padStart(12, "0")}`
const items = (count, make) => Array.from({ length: count }, (_, index) => make(index))

const order = {
  id: uuid(7),
  number: "DE-10023",
  status: "paid",
  createdAt: "2026-03-01T09:30:00.250+01:00",
  email: "jo.customer@shop.test",
  total: 129.95,
}

const product = (index) => ({
  id: index + 1,
  sku: `tea-${index}`,
  name: `Green tea of garden ${index}`,
  price: 4.05 + index,
  stock: { count: index * 3, checkedOn: "2026-02-28" },
  tags: ["tea", "green", "organic"],
  supplier: { id: uuid(index), email: `garden.${index}@tea.test`, site: `https://tea.test/gardens/${index}` },
})

const payments = [
  { kind: "card", last4: "4242", expires: "2027-08-31" },
  { kind: "transfer", iban: "DE89370400440532013000" },
  { kind: "voucher", code: uuid(1), value: 2500 },
]

const sentence = "The gardens above the river are picked by hand in the first two weeks of April. "

const article = (index) => ({
  id: index,
  title: `What the tea of year ${index} is like`,
  publishedAt: "2026-01-31T12:00:00Z",
  author: { name: `Writer ${index}`, email: `writer.${index}@press.test`, isStaff: index % 2 === 0 },
  paragraphs: items(5, () => sentence.repeat(3)),
  counts: { views: index * 100, likes: index },
})

/** The documented responses by name: the body, its schema, and additional headers. */
export const documentedResponses = {
  small: {
    what: "an object of 6 fields, 2 headers",
    schema: reference("Order"),
    body: order,
    headers: {
      "X-Request-Id": { required: true, schema: { type: "string", format: "uuid" } },
      "X-RateLimit-Remaining": { schema: { type: "integer", minimum: 0 } },
    },
  },
  choice: {
    what: "a list of 9 by discriminator",
    schema: listOf("Payment"),
    body: items(9, (index) => payments[index % 3]),
  },
  list: {
    what: "a list of 100 objects",
    schema: listOf("Product", { uniqueItems: true, maxItems: 500 }),
    body: items(100, product),
  },
  big: { what: "100 kB of texts", schema: listOf("Article"), body: items(70, article) },
}

/** Headers sent with every documented response. */
export const contractHeaders = { "x-request-id": uuid(99), "x-ratelimit-remaining": "4999" }

/** Returns the path that responds with the named body. */
export const contractPath = (name) => `/contract/${name}`

export const contractDocument = {
  openapi: "3.0.3",
  info: { title: "Contracts", version: "1" },
  paths: Object.fromEntries(
    Object.entries(documentedResponses).map(([name, { what, schema, headers = {} }]) => [
      contractPath(name),
      {
        get: {
          operationId: name,
          tags: ["documented"],
          responses: {
            200: { description: what, headers, content: { "application/json": { schema } } },
          },
        },
      },
    ]),
  ),
  components: { schemas },
}

export const contractWorkflow = (name, { count, validateContracts }) => ({
  version: 1,
  validateContracts,
  blocks: [
    {
      id: "repeat",
      type: "loop",
      mode: "times",
      count,
      blocks: [
        {
          id: "get",
          type: "request",
          request: { api: "documented", resource: "documented", operation: name },
        },
      ],
    },
  ],
})
