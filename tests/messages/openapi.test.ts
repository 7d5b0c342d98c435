import { changeDescriptions, openapiMessages, openapiReasons } from "@callsheet/openapi"
import { describeMessages } from "./describe-messages.ts"

describeMessages("openapi", openapiMessages, {
  "document-invalid": {
    notAnObject: [[]],
    noPaths: [[]],
    badPaths: [[]],
    noVersion: [[]],
    badVersion: [["openapi"]],
    unknownVersion: [["4.0"]],
    brokenReference: [
      ["#/components/schemas/Ordr", 'the document has nothing at "#/components/schemas/Ordr"'],
      [
        "#/components/schemas/Ordr",
        'the document has nothing at "#/components/schemas/Ordr"',
        "#/components/schemas/Order",
      ],
    ],
    badPattern: [["["], ["(?i)yes", "(?i)", "list both cases, such as [aA]"]],
    more: [[12]],
    badEscape: [[]],
    backslash: [[]],
    nothingThere: [["apis/shop/order.yaml", "#/Order"]],
    tooManyFiles: [[1000]],
    tooLarge: [[64]],
    malformedFile: [["apis/shop/order.yaml"]],
    noOtherFiles: [[]],
    escapedReference: [[]],
  },
  "document-standard": {
    forbiddenValue: [
      ["3.0", "expected an array, received a boolean: true", 'write "required": ["id"]'],
      ["3.1", 'expected a number, received a string: "10"'],
    ],
    unknownField: [
      ["3.0", "nulable", 'did you mean "nullable"?'],
      ["3.0", "optional"],
    ],
    missingField: [["3.0", "in"]],
    misplacedReference: [["3.0", "paths"]],
    unreadReference: [["3.0", "required"]],
    wrongTarget: [
      ["parameters.yaml", "one", "a list"],
      ["paths.yaml", "map", "nothing"],
      ["order.yaml", "list", "a string"],
    ],
    besideReference: [["3.0", "required"]],
    foreignPattern: [
      ["\\A", "the letter A", 'write "^"'],
      ["&&[^b]]", "characters of the class"],
    ],
    neverMatches: [
      ["enum", ["8", "9"], ["string"], "put text in quotes"],
      ["const", ['"5"'], ["integer", "null"]],
      ["enum", ["1", "2", "3", "4", "5", "6", "7"], ["string"]],
    ],
    badMediaType: [["json"]],
    emptyList: [["enum"], ["anyOf"]],
    contradiction: [[{ lower: "minLength", least: "5", upper: "maxLength", most: "3" }]],
    forbiddenProperty: [
      ["idd", ["id", "name"]],
      ["total", ["id", "name"]],
      ["id", [], "allOf"],
    ],
    withoutPartner: [["exclusiveMinimum", "minimum"]],
    neverApplies: [["maximum", ["number", "integer"], ["string"]]],
    nullable: [["3.1", 'write "type": ["string", "null"]']],
    circle: [[["A", "B", "A"]]],
    unexplained: [[250]],
    alike: [['"then" has no effect without "if"', 12]],
  },
  "link-outside": { outside: [[]], address: [[]] },
  "yaml-syntax": {
    severalDocuments: [[]],
    duplicateKey: [[]],
    malformed: [["bad indentation of a mapping entry"]],
    tab: [[]],
    missingSpace: [["summary:List"]],
    colon: [["N", 'description: "Note: see below"']],
    specialStart: [["@", 'description: "@see"']],
    afterQuotes: [["'", `description: "it's here"`]],
    afterBlockMark: [[">", 'description: "text"']],
    badEscape: [["\\d", "pattern: '\\d+'"]],
    recursiveAlias: [[]],
    largeAliases: [[]],
  },
  "operation-unknown": {
    several: [
      ["list", ["GET /orders (orders)", "GET /items (items)"], true],
      ["list", ["GET /orders (no resource)", "GET /items (no resource)"], false],
    ],
    otherResource: [
      ["list", "orders", ["items"]],
      ["list", "orders", []],
    ],
    unknown: [
      ["lst", 'did you mean "list"?'],
      ["list", undefined],
    ],
  },
})

describeMessages(
  "openapi-reasons",
  { reasons: openapiReasons },
  {
    reasons: {
      circle: [[]],
      lostPaths: [['the document has nothing at "#/x"']],
      lostPath: [["/orders", 'the document has nothing at "#/paths/orders"']],
      noBaseUrl: [[]],
      baseUrl: [["has a fragment (#), which is never sent"]],
      blankAroundBaseUrl: [[]],
      blankInBaseUrl: [[]],
      placeholderInBaseUrl: [[]],
      relativeBaseUrl: [[]],
      fragmentInBaseUrl: [[]],
      hostWithoutScheme: [[]],
      relativeServer: [["/v1"]],
      openServer: [["https://{region}.example.com", "region"]],
      noPathValue: [["/orders/{id}/{line}", ["id", "line"]]],
      dotSegment: [["id"]],
      halfCharacter: [["query", "q"]],
    },
  },
)

const request = (path: string) => ({ side: "request", path }) as const
const response = (path: string) => ({ side: "response", path, status: "200" }) as const
const page = { in: "query", name: "page", required: true } as const
const total = { name: "total", required: true, isOpen: true } as const
const values = { removed: [], added: [], wasOpen: false, isOpen: false } as const

describeMessages(
  "openapi-changes",
  { changes: changeDescriptions },
  {
    changes: {
      "operation-removed": [
        [{}, request("")],
        [{ sameId: "GET /v2/orders" }, request("")],
      ],
      "operation-added": [
        [{}, request("")],
        [{ sameId: "GET /orders" }, request("")],
      ],
      "operation-renamed": [
        [{ from: "list", to: "listOrders", resources: { from: ["orders"], to: ["orders"] } }, request("")],
        [{ from: undefined, to: "list", resources: { from: ["orders"], to: ["orders"] } }, request("")],
      ],
      "resource-changed": [[{ from: ["orders"], to: ["sales", "shop"] }, request("")]],
      "parameter-added": [
        [page, request("/query/page")],
        [{ ...page, required: false }, request("/query/page")],
      ],
      "parameter-removed": [[page, request("/query/page")]],
      "parameter-required": [[{ ...page, in: "header", name: "X-Tenant" }, request("/headers/x-tenant")]],
      "parameter-optional": [[{ ...page, in: "cookie", name: "sid" }, request("/cookies/sid")]],
      "parameter-renamed": [[{ from: "id", to: "orderId" }, request("/path/orderId")]],
      "serialization-changed": [[{ from: "form, exploded", to: "form" }, request("/query/ids")]],
      "body-added": [[{ required: true }, request("/body")]],
      "body-removed": [[{ required: true }, request("/body")]],
      "body-required": [[{ required: true }, request("/body")]],
      "body-optional": [[{ required: false }, request("/body")]],
      "property-added": [
        [total, request("/body/total")],
        [total, response("/body/items/*/total")],
      ],
      "property-removed": [
        [total, response("/body/total")],
        [{ ...total, isOtherDirection: true }, request("/body/total")],
      ],
      "property-required": [[total, request("/body/total")]],
      "property-optional": [[total, response("/body/total")]],
      "type-changed": [
        [{ from: ["string"], to: ["integer", "string"] }, response("/body/total")],
        [{ from: [], to: ["string"] }, request("/query/ids/*")],
      ],
      "enum-changed": [
        [{ ...values, removed: ["a"], added: ["b", "c"] }, response("/body/state")],
        [{ ...values, added: [1, null, true, "b", "c", "d", "e"], wasOpen: true }, request("/query/state")],
        [{ ...values, removed: ["a"], isOpen: true }, response("/headers/x-state")],
      ],
      "format-changed": [[{ from: undefined, to: "date" }, request("/body/day")]],
      "limit-changed": [
        [{ keyword: "maxLength", from: 10, to: 5, effect: "narrows" }, request("/body/name")],
        [{ keyword: "pattern", from: undefined, to: "^a", effect: "narrows" }, request("/query/name")],
      ],
      "nullable-changed": [
        [{ nullable: true }, response("/body/total")],
        [{ nullable: false }, request("/body")],
      ],
      "additional-properties-changed": [
        [{ allowed: false }, request("/body")],
        [{ allowed: true }, response("/body/items/*")],
      ],
      "variant-added": [[{ name: "Card" }, response("/body/payment")]],
      "variant-removed": [[{ name: "Card" }, request("/body/payment")]],
      "discriminator-changed": [[{ from: "kind", to: "type" }, response("/body")]],
      "schema-changed": [[{ keyword: "not" }, request("/body/total")]],
      "status-added": [[{ status: "200" }, response("/status")]],
      "status-removed": [[{ status: "200" }, response("/status")]],
      "media-type-added": [[{ mediaType: "text/csv" }, response("/headers/content-type")]],
      "media-type-removed": [[{ mediaType: "text/csv" }, request("/headers/content-type")]],
      "header-changed": [
        [{ name: "etag", what: "added", required: false }, response("/headers/etag")],
        [{ name: "etag", what: "removed", required: false }, response("/headers/etag")],
        [{ name: "etag", what: "optional", required: false }, response("/headers/etag")],
      ],
      "security-changed": [
        [{ removed: ["API key x-key in header"], added: ["OAuth token (read)"] }, request("/security")],
      ],
      "server-changed": [
        [
          { removed: ["https://a.example.com"], added: ["https://b.example.com"] },
          { side: "document", path: "/servers" },
        ],
      ],
    },
  },
)
