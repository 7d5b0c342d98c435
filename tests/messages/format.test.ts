import { formatMessages } from "@callsheet/format"
import { describeMessages } from "./describe-messages.ts"

describeMessages("format", formatMessages, {
  "json-syntax": {
    emptyFile: [[]],
    trailingText: [[]],
    trailingComma: [["}"]],
    expectedComma: [
      ["}", '"'],
      ["]", undefined],
    ],
    expectedKey: [["'"], ["1"], [undefined]],
    duplicateKey: [["id"]],
    expectedColon: [["}"]],
    expectedValue: [["x"], [undefined]],
    openString: [[]],
    openStringInLine: [[]],
    controlCharacter: [[]],
    shortEscape: [[]],
    unknownEscape: [[]],
    malformedNumber: [[]],
  },
  "path-refused": {
    named: [
      ["../.bashrc", "it leads outside the project"],
      [".git/hooks/pre-commit", '".git" is hidden'],
    ],
  },
  "file-conflict": { conflictMarkers: [[]] },
  "file-encoding": {
    invalidByte: [[12]],
    wide: [["UTF-16 (little-endian)"]],
    looksWide: [["UTF-16 (big-endian)"]],
  },
  "dotenv-syntax": {
    split: [[]],
    strayLine: [["no-name"], ["no-assignment"]],
    strayLines: [[3, 5, "no-assignment"]],
    nulCharacter: [[]],
    lineSeparator: [[]],
    openQuote: [[]],
    notExpanded: [[]],
    comment: [[]],
  },
  "rows-invalid": {
    extension: [[]],
    noRows: [[]],
    longRow: [[16_777_216]],
    openQuote: [[]],
    afterQuote: [[]],
    strayQuote: [[]],
    delimiter: [[";"]],
    unnamedColumn: [[3]],
    duplicateColumn: [["sku"]],
    cellCount: [
      [3, 2],
      [1, 2],
    ],
    notArray: [
      ["{", undefined],
      ["{", "data"],
      ["1", undefined],
    ],
    notObject: [["an array"]],
  },
  "input-unknown": {
    row: [
      ["skuu", ["sku", "quantity"]],
      ["x".repeat(70), ["sku", "quantity"]],
      ["sku", []],
    ],
  },
  "input-missing": {
    column: [["sku", "string"]],
    cell: [["quantity"]],
    field: [["quantity", "number"]],
  },
  "input-type": {
    row: [
      ["quantity", "not a number", "number"],
      ["sku", "an object", "string"],
      ["gift", "null", "boolean"],
    ],
  },
  "version-invalid": { missing: [[]], wrong: [[]] },
  "field-missing": {
    missing: [
      ["", '"blocks"'],
      ["blocks[0].request", '"api"'],
      ["blocks[2]", '"until"', '"mode": "until" requires it'],
    ],
  },
  "field-type": {
    wrongType: [
      ["", "an array", "an object"],
      ["blocks[0].timeoutMs", "a string", "a whole number"],
      ["iterations", "a string", "a whole number", "write it without quotes"],
    ],
    foreign: [["a Postman collection", "apis/workflow/shop.json"]],
    bodyType: [
      ["a string", "form", "an object", "to send a field more than once, give it an array of values"],
    ],
  },
  "field-unknown": {
    unknown: [
      ["", "block", 'did you mean "blocks"?'],
      ["blocks[0]", "nmae", undefined],
    ],
    unread: [["tls", "verfy", ["verify"], 'did you mean "verify"?']],
    otherMode: [["blocks[0]", "source", "mode", "repeat"]],
    filePart: [["body.photo", "type"]],
  },
  "field-value": {
    wrongValue: [["level", '"prod"', '"production", "staging" or "local"', 'did you mean "production"?']],
    largeNumber: [["blocks[0].iterations"]],
    tooMany: [[1000]],
    httpMethod: [["GET /"]],
    absoluteUrl: [[]],
    colonParameter: [
      ["orderId", true],
      ["orderId", false],
    ],
    pointerKey: [["/lines/0/sku", "lines.0.sku"]],
    relativePath: [["orders"]],
    queryInPath: [[]],
    malformedPath: [
      ["blocks[0].source", "a..b", 'a name is missing before "."'],
      ["blocks[0].source", "${a.response.status}", '"${a" is not a valid name'],
    ],
    headerName: [["x y"]],
    headerValue: [
      ["x-key", "line break"],
      ["x-key", "NUL character"],
      ["x-key", "control character"],
      ["x-key", "character outside Latin-1"],
    ],
    malformedBodyPath: [["a..b", 'a name is missing before "."']],
    reporter: [
      ["prettier", ["pretty", "json"], 'did you mean "pretty"?'],
      ["html=", ["pretty", "json"], undefined],
    ],
    time: [["yesterday"]],
    size: [["1GB"]],
    origin: [[]],
    resolverName: [["a/b"]],
    emptyCommand: [[]],
    suiteName: [["a/b"]],
    sourceAddress: [[]],
    workflowPattern: [["browse-[ab]"]],
    operationForm: [[]],
    pointerForm: [[]],
    expires: [[]],
    nestedEntries: [["suites.nightly.workflows[0].finally[0]", 20]],
  },
  "exactly-one": {
    exactlyOne: [
      ["blocks[0].request", ["operation", "instance"], []],
      ["blocks[0].request", ["operation", "instance"], ["operation", "instance"]],
    ],
    foreign: [["", "method", "path", "an operation already has a method"]],
    certificateFiles: [["half"], ["both"], ["none"]],
  },
  "id-duplicate": {
    taken: [["create", "a block", "apis/workflow/w.json:4"]],
    iterator: [["row", "apis/workflow/w.json:9"]],
    violation: [[12]],
  },
  "baseline-reason": { missing: [["GET /orders", "/body/items/*/price"]] },
  "baseline-stale": { gone: [["GET /orders", 200, "/body/items/*/price"]], more: [[3]] },
  "baseline-expired": {
    expired: [["GET /orders", "/body/items/*/price", "2026-11-30"]],
  },
  "id-invalid": {
    empty: [[]],
    dollar: [["$now"]],
    path: [["a.b"]],
    braces: [["a}"]],
    control: [["a\u0007"]],
  },
  "token-malformed": {
    template: [["blocks[0].source", "empty placeholder: {{}}", String.raw`write \{{ for a literal {{`]],
    path: [["blocks[0].source", "a..b", 'a name is missing before "."']],
    input: [["inputs.sku.default"]],
    id: [["a-{{", "a placeholder is not closed; expected }}", undefined]],
    dollar: [["headers.X-Key", "env.shop.apiKey"]],
    idOutsideLoop: [["a-{{$index}}"]],
    idOfNoLoop: [["a-{{row}}", ["$index", "item"]]],
    api: [[]],
  },
  "api-unknown": {
    unknown: [
      ["shp", ["shop", "users"]],
      ["orders", ["shop", "users"]],
      ["orders", []],
    ],
  },
  "env-name": {
    misnamedSchema: [[]],
    invalid: [["a/b"]],
    parent: [["base.json"]],
    twins: [["Local", "local"]],
  },
  "env-missing": {
    unknown: [
      ["shop", "prd", ["local", "prod"]],
      ["shop", "demo", ["local", "prod"]],
      ["shop", "demo", []],
    ],
    strandedSecrets: [
      ["lcal", 'did you mean "local"?'],
      ["demo", undefined],
    ],
  },
  "extends-cycle": { self: [["local"]], cycle: [[["a", "b", "a"]]] },
  "extends-missing": { unknown: [["bse", 'did you mean "base"?']] },
  "level-unset": { production: [["prod-eu"]] },
  "secret-committed": { committed: [["token"]] },
  "secret-default": { secretDefault: [["token"]] },
  "variable-undeclared": {
    process: [
      ["CALLSHEET_VAR__SHOP__TOKN", 'did you mean "CALLSHEET_VAR__SHOP__TOKEN"?'],
      ["CALLSHEET_VAR__SHOP", undefined],
    ],
    undeclared: [
      ["tokn", 'did you mean "token"?'],
      ["user", undefined],
    ],
    hidden: [["declare"], [undefined]],
    reserved: [["level"]],
    schemaReference: [[]],
    override: [["shop", "tokn", 'did you mean "token"?']],
  },
  "variable-type": {
    text: [["port", "number"]],
    given: [["--var shop.port", "port", "number"]],
    value: [["port", "a string", "number", "write it without quotes"]],
    default: [["port", "a string", "number"]],
  },
  "variable-missing": {
    missing: [
      [
        {
          name: "token",
          isSecret: true,
          api: "shop",
          environment: "local",
          file: "apis/shop/environments/local.secrets.env",
          processVariable: "CALLSHEET_VAR__SHOP__TOKEN",
          nearMiss: undefined,
        },
      ],
      [
        {
          name: "user",
          isSecret: false,
          api: "shop",
          environment: "local",
          file: "apis/shop/environments/local.json",
          processVariable: "CALLSHEET_VAR__SHOP__USER",
          nearMiss: "CALLSHEET_VAR_SHOP_USER",
        },
      ],
    ],
  },
  "variable-reserved": { reserved: [["level"]] },
  "variable-name": { invalid: [["a b"]] },
  "variable-ambiguous": { shared: [["CALLSHEET_VAR__SHOP__USER", ["shop.user", "shop.USER"]]] },
})
