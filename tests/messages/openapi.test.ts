import { openapiMessages, openapiReasons } from "@callsheet/openapi"
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
