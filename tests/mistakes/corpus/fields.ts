// Fields: misspelled, missing, of the wrong type or value, or in the wrong position.

import type { Mistake } from "../mistake.ts"
import { booking, billing, book, calendar, subscribe, dunning, weekend } from "./places.ts"

const unknown = (name: string) => ({ codes: ["field-unknown"], severity: "error", words: [name] }) as const
const type = { codes: ["field-type"], severity: "error" } as const
const missing = (name: string) => ({ codes: ["field-missing"], severity: "error", words: [name] }) as const
const value = (...words: string[]) => ({ codes: ["field-value"], severity: "error", words }) as const
const exactlyOne = { codes: ["exactly-one"], severity: "error" } as const

const misspelled: readonly Mistake[] = [
  book(
    "misspelled field",
    "at the top",
    [`"validateContracts"`, `"validateContract"`],
    unknown("validateContracts"),
  ),
  book(
    "misspelled field",
    "of an input",
    [`"description": "How many stay."`, `"desciption": "How many stay."`],
    unknown("description"),
  ),
  book(
    "misspelled field",
    "of an assertion",
    [`"free.response.body.total", "operator"`, `"free.response.body.total", "opertor"`],
    unknown("operator"),
  ),
  book(
    "misspelled field",
    "of a loop",
    [`"iteratorVar": "room"`, `"iteratorVariable": "room"`],
    unknown("iteratorVar"),
  ),
  book(
    "misspelled field",
    "of a request",
    [`"resource": "photos"`, `"ressource": "photos"`],
    unknown("resource"),
  ),
  book(
    "misspelled field",
    "overides",
    [`"overrides": { "params": { "path": { "roomId"`, `"overides": { "params": { "path": { "roomId"`],
    unknown("overrides"),
  ),
  book(
    "misspelled field",
    "headers for header",
    [`"header": { "X-Request-Id"`, `"headers": { "X-Request-Id"`],
    unknown("header"),
  ),
  book("misspelled field", "otherwise for else", [`"else": [`, `"otherwise": [`], unknown("otherwise")),
  book("misspelled field", "of an until loop", [`"delayMs": 50`, `"delay": 50`], unknown("delayMs")),
  book(
    "misspelled field",
    "of a script",
    [`"exportName": "priceOfStay"`, `"export": "priceOfStay"`],
    unknown("exportName"),
  ),
  weekend(
    "misspelled field",
    "of a saved request",
    [`"timeoutMs": 4000`, `"timeout": 4000`],
    unknown("timeoutMs"),
  ),
  weekend(
    "misspelled field",
    "bodytype of a saved request",
    [`"timeoutMs": 4000`, `"bodytype": "json"`],
    unknown("bodyType"),
  ),
  booking.inFile("apis/rooms/environments/schema.json")(
    "misspelled field",
    "of a variable's declaration",
    [`"description": "Who signs in."`, `"descripton": "Who signs in."`],
    unknown("description"),
  ),
  booking.inFile("apis/rooms/environments/schema.json")(
    "misspelled field",
    "isSecret for secret",
    [`"secret": true`, `"isSecret": true`],
    { codes: ["field-unknown"], severity: "error", words: ["isSecret"] },
  ),
  book(
    "misspelled field",
    "a comment next to the description",
    [`"description": "Says so to`, `"comment": "Says so to`],
    unknown("comment"),
  ),
  calendar(
    "misspelled field",
    "a delay in a times loop of another tool",
    [`"count": 4`, `"times": 4`],
    unknown("times"),
  ),
]

const wrongType: readonly Mistake[] = [
  calendar("wrong type", "a count in quotes", [`"count": 4`, `"count": "4"`], type),
  book("wrong type", "true in quotes", [`"validateContracts": true`, `"validateContracts": "true"`], type),
  book("wrong type", "a number as a query parameter", [`"sort": "price" }`, `"sort": 1 }`], type),
  book("wrong type", "a boolean as a query parameter", [`{ "dry": "false" }`, `{ "dry": false }`], type),
  weekend("wrong type", "a timeout in quotes", [`"timeoutMs": 4000`, `"timeoutMs": "4s"`], type),
  book(
    "wrong type",
    "one assertion without brackets",
    [
      `"assertions": [
        { "source": "booking.response.status", "operator": "equals", "value": 201 },`,
      `"assertions": { "source": "booking.response.status", "operator": "equals", "value": 201 }, "x": [`,
    ],
    type,
  ),
  calendar(
    "wrong type",
    "an until that is only a path",
    [
      `"until": { "source": "page.response.body.cursor", "operator": "hasNoValue" }`,
      `"until": "page.response.body.cursor"`,
    ],
    type,
  ),
  book(
    "wrong type",
    "a script that is only a name",
    [`"script": { "name": "stay", "exportName": "priceOfStay" }`, `"script": "stay"`],
    type,
  ),
  booking.inFile("apis/rooms/environments/schema.json")(
    "wrong type",
    "required in quotes",
    [`"email": { "type": "string", "required": true`, `"email": { "type": "string", "required": "yes"`],
    type,
  ),
  booking.inFile("apis/rooms/environments/staging.json")(
    "wrong type",
    "tls as a boolean",
    [`"tls": { "verify": true }`, `"tls": true`],
    type,
  ),
  booking.inFile("apis/rooms/environments/staging.json")(
    "tls",
    "verify in quotes",
    [`"verify": true`, `"verify": "true"`],
    type,
  ),
  booking.inFile("apis/rooms/environments/staging.json")(
    "tls",
    "verify misspelled",
    [`"verify": true`, `"verifi": true`],
    { severity: "warning", words: ["verif"] },
  ),
  booking.inFile("apis/rooms/environments/staging.json")(
    "wrong type",
    "a list of parents",
    [`"extends": "local"`, `"extends": ["local"]`],
    type,
  ),
  dunning(
    "wrong type",
    "a transform that is not a path",
    [`"total": "invoice.response.body.total"`, `"total": 12`],
    type,
  ),
]

const absent: readonly Mistake[] = [
  book(
    "missing field",
    "no operator",
    [
      `"source": "free.response.headers.x-total-count", "operator": "exists"`,
      `"source": "free.response.headers.x-total-count"`,
    ],
    missing("operator"),
  ),
  book(
    "missing field",
    "no value to compare with",
    [`"operator": "lessThan", "value": 18 }`, `"operator": "lessThan" }`],
    missing("value"),
  ),
  book(
    "missing field",
    "no source",
    [`{ "source": "booking.response.body.breakfast", "operator"`, `{ "operator"`],
    missing("source"),
  ),
  book("missing field", "no id", [`"id": "look-at-rooms",`, ``], {
    ...missing("id"),
    within: [`"{{env.rooms.email}}"`, `"free.response.body.items",`],
  }),
  book(
    "missing field",
    "no type",
    [`"id": "look-at-rooms",\n      "type": "loop",`, `"id": "look-at-rooms",`],
    { ...missing("type"), within: [`"{{env.rooms.email}}"`, `"iteratorVar": "room"`] },
  ),
  book(
    "missing field",
    "no API",
    [`"api": "rooms",\n        "operation": "searchRooms"`, `"operation": "searchRooms"`],
    { ...missing("api"), within: [`"id": "found"`, `"searchRooms"`] },
  ),
  book("missing field", "neither operation nor instance", [`"operation": "getBooking",`, ``], {
    codes: ["field-missing", "exactly-one"],
    severity: "error",
    words: ["operation"],
    within: [`"id": "seen"`, `"overrides"`],
  }),
  book("missing field", "no version", [`"version": 1,`, ``], {
    codes: ["version-invalid", "field-missing"],
    severity: "error",
    words: ["version"],
    anywhere: true,
  }),
  calendar("missing field", "no mode", [`"mode": "times",\n      "count": 4,`, `"count": 4,`], {
    ...missing("mode"),
    within: [`"id": "weeks"`, `"count": 4`],
  }),
  calendar("missing field", "no count", [`"count": 4,`, ``], {
    ...missing("count"),
    within: [`"id": "weeks"`, `"iteratorVar": "week"`],
  }),
  book("missing field", "no array to iterate over", [`"source": "free.response.body.items",`, ``], {
    ...missing("source"),
    within: [`"id": "look-at-rooms"`, `"iteratorVar": "room"`],
  }),
  dunning(
    "missing field",
    "no export",
    [`{ "name": "states", "exportName": "linesAddUp" }`, `{ "name": "states" }`],
    missing("exportName"),
  ),
  calendar("missing field", "no then", [`"then": [`, `"else": [`], {
    ...missing("then"),
    within: [`"id": "is-first"`, `"id": "start"`],
  }),
  booking.inFile("apis/rooms/environments/schema.json")(
    "missing field",
    "no type of a variable",
    [`"email": { "type": "string", `, `"email": { `],
    missing("type"),
  ),
  booking.inFile("apis/rooms/environments/schema.json")(
    "missing field",
    "no required of a variable",
    [`"type": "string", "required": true, "secret": true`, `"type": "string", "secret": true`],
    missing("required"),
  ),
  subscribe(
    "missing field",
    "no type of an input",
    [`"seats": { "type": "number", `, `"seats": { `],
    missing("type"),
  ),
  weekend("missing field", "no operation in a saved request", [`"operation": "createBooking",`, ``], {
    codes: ["exactly-one", "field-missing"],
    severity: "error",
    anywhere: true,
  }),
  booking.inFile("apis/notices/requests/messages/confirmation.json")(
    "missing field",
    "a path without a method",
    [`"method": "POST",`, ``],
    { codes: ["field-missing", "exactly-one"], severity: "error", words: ["method"], anywhere: true },
  ),
]

const outside: readonly Mistake[] = [
  book("version", "2", [`"version": 1`, `"version": 2`], { codes: ["version-invalid"], severity: "error" }),
  calendar("version", "in quotes", [`"version": 1`, `"version": "1"`], {
    codes: ["version-invalid"],
    severity: "error",
  }),
  booking.inFile("apis/rooms/environments/schema.json")(
    "version",
    "of schema.json",
    [`"version": 1`, `"version": 1.1`],
    { codes: ["version-invalid"], severity: "error" },
  ),
  book(
    "wrong operator",
    "equal",
    [
      `"source": "booking.response.status", "operator": "equals"`,
      `"source": "booking.response.status", "operator": "equal"`,
    ],
    value("equals"),
  ),
  book(
    "wrong operator",
    "a sign",
    [
      `"source": "booking.response.status", "operator": "equals"`,
      `"source": "booking.response.status", "operator": "=="`,
    ],
    value("=="),
  ),
  book(
    "wrong operator",
    "of another tool",
    [
      `"source": "free.response.body.total", "operator": "greaterThan"`,
      `"source": "free.response.body.total", "operator": "greaterThanOrEqual"`,
    ],
    value("greaterThan"),
  ),
  book(
    "wrong operator",
    "in lowercase",
    [
      `"source": "booking.response.body.payment", "operator": "hasNoValue"`,
      `"source": "booking.response.body.payment", "operator": "hasnovalue"`,
    ],
    value("hasNoValue"),
  ),
  calendar(
    "wrong operator",
    "of an until",
    [`"operator": "hasNoValue" }`, `"operator": "isEmpty" }`],
    value("isEmpty"),
  ),
  book(
    "wrong enum",
    "a kind of block",
    [`"id": "notified",\n          "type": "assert"`, `"id": "notified",\n          "type": "assertion"`],
    { ...value("assert"), at: `"type": "assertion"` },
  ),
  calendar(
    "wrong enum",
    "a mode in lowercase",
    [`"mode": "forEach",\n          "source": "page`, `"mode": "foreach",\n          "source": "page`],
    { ...value("forEach"), at: `"foreach"` },
  ),
  book(
    "wrong enum",
    "an execution",
    [`"execution": "parallel"`, `"execution": "concurrent"`],
    value("parallel"),
  ),
  calendar("wrong enum", "onFailure", [`"onFailure": "continue"`, `"onFailure": "stop"`], value("halt")),
  booking.inFile("apis/rooms/environments/staging.json")(
    "level",
    "misspelled",
    [`"level": "staging"`, `"level": "stagign"`],
    value("staging"),
  ),
  billing.inFile("apis/billing/environments/production.json")(
    "level",
    "prod",
    [`"level": "production"`, `"level": "prod"`],
    value("production"),
  ),
  billing.inFile("apis/billing/environments/production.json")(
    "level",
    "not set for a production-like name",
    [`  "level": "production",\n`, ``],
    { codes: ["level-unset"], severity: "warning", anywhere: true },
  ),
  billing.inFile("apis/accounts/requests/tokens/service.json")(
    "wrong enum",
    "a body type",
    [`"bodyType": "form"`, `"bodyType": "urlencoded"`],
    value("form"),
  ),
  booking.inFile("apis/bookings/environments/schema.json")(
    "wrong enum",
    "a variable's type",
    [`"maxNights": { "type": "number"`, `"maxNights": { "type": "integer"`],
    value("number"),
  ),
  subscribe(
    "wrong enum",
    "an input's type",
    [`"keep": { "type": "boolean"`, `"keep": { "type": "bool"`],
    value("boolean"),
  ),
  calendar("number out of range", "a negative count", [`"count": 4`, `"count": -4`], value()),
  calendar("number out of range", "a count with a fraction", [`"count": 4`, `"count": 1.5`], {
    codes: ["field-value", "field-type"],
    severity: "error",
  }),
  book("number out of range", "zero iterations", [`"maxIterations": 10`, `"maxIterations": 0`], value()),
  book("number out of range", "a negative delay", [`"delayMs": 50`, `"delayMs": -50`], value()),
  book("number out of range", "zero milliseconds", [`"timeoutMs": 2000`, `"timeoutMs": 0`], value()),
  book(
    "number out of range",
    "a delay beyond every timer's limit",
    [`"delayMs": 50`, `"delayMs": 99999999999`],
    {},
  ),
]

const together: readonly Mistake[] = [
  book(
    "one of two",
    "assertions and a script",
    [
      `"id": "notified",\n          "type": "assert",`,
      `"id": "notified",\n          "type": "assert",\n          "script": { "name": "stay", "exportName": "isLong" },`,
    ],
    { ...exactlyOne, within: [`"id": "notified"`, `"message.response.body.id"`] },
  ),
  dunning(
    "one of two",
    "neither assertions nor a script",
    [`"type": "assert", "script": { "name": "states", "exportName": "linesAddUp" }`, `"type": "assert"`],
    exactlyOne,
  ),
  calendar(
    "one of two",
    "an until loop without a check",
    [`      "until": { "source": "page.response.body.cursor", "operator": "hasNoValue" },\n`, ``],
    { ...exactlyOne, within: [`"id": "all-pages"`, `"pageNumber"`] },
  ),
  dunning(
    "one of two",
    "an until and a script",
    [
      `"script": { "name": "states", "exportName": "isSettled" },`,
      `"script": { "name": "states", "exportName": "isSettled" },\n      "until": { "source": "invoice.response.body.state", "operator": "equals", "value": "paid" },`,
    ],
    { ...exactlyOne, within: [`"id": "wait"`, `"id": "invoice"`] },
  ),
  dunning(
    "one of two",
    "transforms and a script",
    [
      `"id": "facts",\n      "type": "transform",`,
      `"id": "facts",\n      "type": "transform",\n      "script": { "name": "states", "exportName": "isSettled" },`,
    ],
    { ...exactlyOne, within: [`"id": "facts"`, `"facts.lines"`] },
  ),
  book(
    "one of two",
    "a condition without a check",
    [`      "if": { "source": "invoice", "operator": "equals", "value": true },\n`, ``],
    { ...exactlyOne, within: [`"id": "how-to-pay"`, `"then"`] },
  ),
  booking.inFile("apis/notices/requests/messages/confirmation.json")(
    "one of two",
    "an operation and a path",
    [`"method": "POST",`, `"operation": "send",\n  "method": "POST",`],
    { codes: ["exactly-one", "field-unknown"], severity: "error", anywhere: true },
  ),
  calendar(
    "field of another mode",
    "count of a forEach",
    [`"source": "page.response.body.data",`, `"source": "page.response.body.data",\n          "count": 3,`],
    { codes: ["field-unknown"], severity: "error", at: `"count": 3,`, words: ["count"] },
  ),
  calendar(
    "field of another mode",
    "source of a times loop",
    [`"count": 4,`, `"count": 4,\n      "source": "page.response.body.data.0.guests",`],
    { codes: ["field-unknown"], severity: "error", at: `data.0.guests`, words: ["source"] },
  ),
  book(
    "field of another mode",
    "parallel polling",
    [`"delayMs": 50,`, `"delayMs": 50,\n      "execution": "sequential",`],
    { codes: ["field-unknown"], severity: "error", at: `"sequential"`, words: ["execution"] },
  ),
  calendar(
    "field of another mode",
    "a cap of a times loop",
    [`"count": 4,`, `"count": 4,\n      "maxIterations": 9,`],
    { codes: ["field-unknown"], severity: "error", at: `"maxIterations": 9`, words: ["maxIterations"] },
  ),
  book(
    "field of another kind",
    "transforms of an assert",
    [
      `"id": "notified",\n          "type": "assert",`,
      `"id": "notified",\n          "type": "assert",\n          "transforms": { "a": "message.response.status" },`,
    ],
    { codes: ["field-unknown"], severity: "error", at: `"transforms": { "a"`, words: ["transforms"] },
  ),
  book(
    "field of another kind",
    "a condition of a group",
    [
      `"id": "tell",\n      "type": "group",`,
      `"id": "tell",\n      "type": "group",\n      "if": { "source": "invoice", "operator": "exists" },`,
    ],
    {
      codes: ["field-unknown"],
      severity: "error",
      at: `"if": { "source": "invoice", "operator": "exists" }`,
      words: ["if"],
    },
  ),
  book(
    "nothing to do",
    "no assertions",
    [
      `"assertions": [\n            { "source": "message.response.status", "operator": "lessThan", "value": 300 },\n            { "source": "message.response.body.id", "operator": "exists" }\n          ]`,
      `"assertions": []`,
    ],
    { severity: "warning", at: `"assertions": []` },
  ),
  dunning(
    "nothing to do",
    "no transforms",
    [
      `"id": "facts",\n      "type": "transform",\n      "transforms": {`,
      `"id": "nothing", "type": "transform", "transforms": {} },\n { "id": "facts",\n      "type": "transform",\n      "transforms": {`,
    ],
    { severity: "warning", at: `"id": "nothing"` },
  ),
]

export const fieldMistakes: readonly Mistake[] = [
  ...misspelled,
  ...wrongType,
  ...absent,
  ...outside,
  ...together,
]
