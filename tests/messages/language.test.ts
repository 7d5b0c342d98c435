import {
  keptReasons,
  languageComparisons,
  languageMessages,
  languageReasons,
  languageContractReasons,
  impactTexts,
  repairTexts,
} from "@callsheet/language"
import { compareDates } from "@callsheet/format"
import { describeMessages } from "./describe-messages.ts"

describeMessages("language", languageMessages, {
  "operation-unknown": {
    noDocument: [
      ["shop", "ping"],
      ["shop", "ping", "apis/shop/swagger.yaml"],
    ],
    unknown: [["shop", 'the document has no operation "png"', 'did you mean "ping"?']],
    inInstance: [["new", 'in the API "shop", the document has no operation "png"', 'did you mean "ping"?']],
    inBaseline: [
      ["shop", "GET /ordrs", 'did you mean "GET /orders"?'],
      ["shop", "GET /gone", undefined],
    ],
    nearPath: [["GET", "/ordrs", "/orders"]],
  },
  "document-standard": { endless: [["GET", "/pets", ["Pet", "Animal", "Pet"]]] },
  "contract-unavailable": {
    outside: [
      ["PUT", "/pets", "did you mean GET /pets?"],
      ["GET", "/health", undefined],
    ],
  },
  "instance-unknown": {
    unknown: [
      ["shop", "nwe", undefined, 'did you mean "new"?'],
      ["shop", "new", "orders", "expected apis/shop/requests/orders/new.json"],
    ],
    several: [["shop", "new", ["orders", "returns"]]],
    broken: [["shop", "new"]],
    otherOperation: [["new", "POST /orders", "ping"]],
    mayName: [[]],
    namesOperation: [[]],
  },
  "suite-unknown": { unknown: [["night", 'did you mean "nightly"?']] },
  "workflow-unknown": {
    unknown: [
      ["chekout", 'did you mean "checkout"?'],
      ["chekout", undefined],
    ],
    isSuite: [["smoke"]],
    noMatch: [["browse-*", "the project has checkout, pay"]],
    onlyHelpers: [["remove-*", ["remove-cart", "remove-order"]]],
    oneName: [["check*", "checkout", "pay"]],
  },
  "import-todo": { todo: [[]] },
  "script-missing": {
    unknown: [
      ["apis/workflow/scripts/w/chek.ts", ["check"], 'did you mean "check"?'],
      ["apis/workflow/scripts/w/sum.ts", ["check"], undefined],
    ],
    noExport: [
      ["apis/workflow/scripts/w/check.ts", "totl", ["total"], 'did you mean "total"?'],
      ["apis/workflow/scripts/w/check.ts", "total", [], undefined],
    ],
    mayName: [[]],
    notFunction: [["apis/workflow/scripts/pay/check.ts", "limit", "a number"]],
    import: [["./money"]],
    otherPath: [["./helpers.ts"]],
  },
  "field-unknown": {
    pathParameter: [
      ["/orders/{id}", "orderId", ["id"], undefined],
      ["/orders", "id", [], undefined],
    ],
  },
  "field-value": {
    productionDefault: [["shop", "live"]],
    mockOfRecord: [[]],
    dataOfCleanup: [[]],
    emptyList: [["assertions", "it checks nothing"]],
  },
  "input-type": {
    wrong: [["count", "number"]],
    document: [["sku", "an object", "string"]],
    default: [["count", "number"]],
  },
  "input-unknown": { unknown: [["checkout", "skuu", 'did you mean "sku"?']] },
  "input-missing": { main: [["checkout", "sku"]], other: [["seed", "count"]] },
  "path-param-missing": { missing: [["/orders/{id}", "id"]] },
  "variable-missing": {
    required: [["local", "user", "apis/shop/environments/local.json"]],
    noAddress: [["local", "shop"]],
    noServer: [["local", "baseUrl", "apis/shop/environments/local.json"]],
  },
  "variable-type": {
    baseUrl: [["is not an http or https URL"], ["has a fragment (#), which is never sent"]],
    nullDefault: [["port"]],
  },
  "id-duplicate": {
    entry: [["seed", "suites.nightly.before[0]"]],
    taken: [["browse", "suites.nightly.workflows[0]"]],
    pattern: [["browse-*"]],
    iterator: [["row", "outer"]],
    repeated: [
      ["page-{{i}}", "outer", "row"],
      ["page-{{i}}", "outer", undefined],
    ],
    same: [["page-{{j}}", "page-{{i}}"]],
    iteration: [["page-2", "page-{{i}}", "2"]],
    captured: [["user"]],
    mixed: [["user", ["checkout", "refund"]]],
  },
  "token-unresolved": {
    unresolved: [
      ["request.overrides.body.id", "ordr.id", 'nothing is named "ordr" here', 'did you mean "order"?'],
    ],
    reads: [["user"]],
    mayRead: [["user"]],
  },
  "result-skipped": {
    token: [["id", "order.id", '"order" is in a branch that may be skipped', undefined]],
    source: [["assertions[0].source", '"order" is in a branch that may be skipped', undefined]],
  },
  "source-unresolved": {
    unresolved: [["assertions[0].source", 'order.response.body has no property "idd"', 'did you mean "id"?']],
  },
  "operator-type": {
    comparison: [
      [
        "assertions[0]",
        "order.response.status",
        "equals",
        { message: "it is compared with 409, but the contract documents only 200 and 404" },
      ],
      [
        "assertions[1]",
        "order.response.body.name",
        "is greater than",
        { message: "it is a string, but this operator compares only numbers", hint: compareDates },
      ],
    ],
  },
  "token-malformed": {
    otherBraces: [["request.overrides.body.id", "${order.response.body.id}", "order.response.body.id"]],
  },
  "loop-source": {
    notAnArray: [["orders.response.body", "an object", 'did you mean "orders.response.body.items"?']],
  },
  "body-missing": { missing: [["POST /orders requires a body"]] },
  "path-unresolved": { bodyPath: [["sku.part", `"sku" is a string, so it can't have a property "part"`]] },
  "body-field-missing": { missing: [["lines[0].sku"]] },
  "body-field-unknown": {
    undocumentedBody: [["GET /orders doesn't document a request body"]],
    unknown: [["lnes", 'did you mean "lines"?']],
  },
  "body-field-type": {
    wrongType: [
      ["", "a string", "an object"],
      ["lines", "a string", "an array"],
    ],
    wrongValue: [["status", '"opne"', '"open" and "paid"', 'did you mean "open"?']],
  },
  "parameter-missing": { missing: [['GET /orders requires the query parameter "page"', "query"]] },
  "parameter-unknown": {
    unknown: [
      [`GET /orders doesn't document a query parameter "pge"`, ["page"], 'did you mean "page"?'],
      [`GET /orders doesn't document a query parameter "x"`, ["page", "size"], undefined],
    ],
  },
  "parameter-type": {
    wrongType: [['query parameter "page"', '"first"', "a number"]],
    wrongValue: [['query parameter "status"', '"opne"', '"open" and "paid"', 'did you mean "open"?']],
  },
})

const groups = {
  kept: keptReasons,
  paths: languageReasons,
  comparisons: languageComparisons,
  contract: languageContractReasons,
  repairs: repairTexts,
  impact: impactTexts,
}

describeMessages("language-reasons", groups, {
  kept: {
    edited: [[]],
    lost: [[]],
    foreign: [[]],
    broken: [[]],
    otherCase: [["apis/workflow/Orders-lifecycle.json"]],
    entry: [["generated: orders-lifecycle"]],
  },
  paths: {
    notAPath: [[]],
    bracedPath: [[]],
    secretInName: [[]],
    unknownName: [["ordr"]],
    noInput: [["sku"]],
    ambiguous: [["row-1"]],
    failed: [["order"]],
    leftOut: [["names", "first", "list.response.body[0].name"]],
    noValue: [["user", "shop", "local"]],
    notAnObject: [["user"]],
    notRun: [["order"]],
    noResult: [["check", "assert"]],
    ownResult: [["order"]],
    later: [["order"]],
    otherBranch: [["order"]],
    notDynamic: [["$now2"]],
    noLoop: [[]],
    otherOwner: [["user", "shop"]],
    outsideLoop: [["row", "rows"]],
    variableOfApi: [["user", "shop"]],
    unusedApi: [["pay"]],
    noVariableName: [["shop"]],
    undeclared: [["shop", "usr"]],
    noProperty: [
      ["order.response.body", undefined, "idd"],
      ["order.response.status", "a number", "code"],
    ],
    brokenJson: [[1, 13]],
    emptyBody: [["remove", "204"]],
    otherBody: [
      ['"get.response.body"', { type: "text/html", status: "502", isText: true, name: "id" }],
      ['"get.response.body"', { type: "image/png", status: "200", isText: false, name: "id" }],
      ['"get.response.body"', { type: "", status: "200", isText: true, name: "id" }],
    ],
    startsWith: [
      ['"get.response.body" is not valid JSON: error at line 1, column 1', "<html>"],
      ['"get.response.body" is not valid JSON: error at line 1, column 1', undefined],
    ],
    headerCase: [
      ['"get.response.headers"', "Location", true],
      ['"get.response.headers"', "X-Total", false],
    ],
    noPropertyHere: [['order.response.body has no property "error"']],
    ambiguousEntry: [["seed"]],
    wholeEntry: [["seed"]],
    noBlock: [["seed-catalog", "product-2"]],
    skippable: [["order"]],
  },
  comparisons: {
    neverEqual: [["a string", "a number"]],
    alwaysUnequal: [["a string", "a number"]],
    undocumented: [["409", "200 and 404"]],
    alwaysUndocumented: [["409", "200 and 404"]],
    undocumentedItem: [['"opne"', '"open" and "paid"']],
    sourceNotNumber: [["a string"]],
    valueNotNumber: [["a string"]],
    cannotContain: [["a number"]],
    stringContains: [["a number"]],
    itemsContain: [["objects", "a string"]],
  },
  contract: {
    statuses: [[["201", "4XX"]]],
    documented: [["order.response.body.total", "a number"]],
    ruledOut: [["order.response.body.error"]],
    notValidated: [[]],
    sendsOther: [["first"]],
  },
  impact: {
    counts: [
      [{ breaks: 1, unused: 2, compatible: 14 }, "main"],
      [{ breaks: 0, unused: 0, compatible: 0 }, "HEAD"],
    ],
    heading: [["breaks"], ["unused"], ["compatible"]],
    moreUses: [[1], [3]],
  },
  repairs: {
    operation: [["addOrder", "createOrder"]],
    parameter: [["query", "page", "offset"]],
    requiredParameter: [["header", "X-Shop"]],
    requiredField: [["lines[0].sku"]],
    similar: [["lisOrders", "listOrders"]],
    removedField: [["note"]],
  },
})
