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
    ],
    badPattern: [["["]],
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
  "link-outside": { outside: [[]], address: [[]] },
  "yaml-syntax": {
    severalDocuments: [[]],
    duplicateKey: [[]],
    malformed: [["bad indentation of a mapping entry"]],
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
      lostPath: [["/orders", 'the document has nothing at "#/paths/orders"']],
      noBaseUrl: [[]],
      blankInBaseUrl: [[]],
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
