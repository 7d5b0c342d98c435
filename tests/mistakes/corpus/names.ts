// Ids, tokens, and names that don't resolve.

import type { Mistake } from "../mistake.ts"
import { booking, billing, book, calendar, subscribe, dunning, checkout } from "./places.ts"

const ids: readonly Mistake[] = [
  book("duplicate id", "nested and at the top", [`"id": "notified"`, `"id": "booked"`], {
    codes: ["id-duplicate"],
    severity: "error",
    words: ["booked"],
  }),
  book("duplicate id", "in both branches", [`"id": "charged"`, `"id": "invoiced"`], {
    codes: ["id-duplicate"],
    severity: "error",
  }),
  book("duplicate id", "an input's name", [`"id": "stay"`, `"id": "city"`], {
    codes: ["id-duplicate"],
    severity: "error",
    words: ["city"],
  }),
  book("duplicate id", "an iterator's name", [`"id": "something-is-free"`, `"id": "room"`], {
    codes: ["id-duplicate"],
    severity: "error",
    at: [`"id": "room"`, `"iteratorVar": "room"`],
  }),
  book("duplicate id", "an iterator like an input", [`"iteratorVar": "room"`, `"iteratorVar": "city"`], {
    codes: ["id-duplicate"],
    severity: "error",
  }),
  calendar(
    "duplicate id",
    "an iterator like the enclosing one",
    [`"iteratorVar": "guest"`, `"iteratorVar": "entry"`],
    { codes: ["id-duplicate"] },
  ),
  subscribe("expanded ids collide", "with a block outside the loop", [`"id": "counted"`, `"id": "usage-3"`], {
    codes: ["id-duplicate"],
  }),
  calendar(
    "expanded ids collide",
    "only an inner index, in two loops",
    ["grown-up-{{entry.id}}-{{$index}}", "grown-up-{{$index}}"],
    {},
  ),
  calendar(
    "expanded ids collide",
    "the same text for two blocks of a loop",
    [`"id": "week-is-fine-{{week}}"`, `"id": "free-{{$index}}"`],
    { codes: ["id-duplicate"] },
  ),
  subscribe(
    "expanded ids collide",
    "by a property that repeats",
    [`"id": "sold-{{plan.id}}"`, `"id": "sold-{{plan.retired}}"`],
    {},
  ),
  book("id not allowed", "with a dot", [`"id": "booked"`, `"id": "booked.well"`], {
    codes: ["id-invalid"],
    severity: "error",
  }),
  book("id not allowed", "with brackets", [`"id": "booked"`, `"id": "booked[0]"`], {
    codes: ["id-invalid"],
    severity: "error",
  }),
  book("id not allowed", "with a dollar", [`"id": "booked"`, `"id": "$booked"`], {
    codes: ["id-invalid"],
    severity: "error",
  }),
  book("id not allowed", "empty", [`"id": "booked"`, `"id": ""`], {
    codes: ["id-invalid", "field-value"],
    severity: "error",
  }),
  book("id not allowed", "a token outside loops", [`"id": "booked"`, `"id": "booked-{{city}}"`], {
    codes: ["id-invalid", "token-malformed"],
    severity: "error",
  }),
  book(
    "id not allowed",
    "a token that is not an iterator",
    ['first-photo-{{room.id}}",\n          "type"', 'first-photo-{{city}}",\n          "type"'],
    { codes: ["id-invalid", "token-malformed"], severity: "error" },
  ),
]

const malformed = { codes: ["token-malformed"], severity: "error" } as const

const tokens: readonly Mistake[] = [
  book("token malformed", "not closed", [`"notes": "from {{city}}"`, `"notes": "from {{city"`], malformed),
  book(
    "token malformed",
    "a missing brace",
    [`"notes": "from {{city}}"`, `"notes": "from {{city}"`],
    malformed,
  ),
  book("token malformed", "empty", [`"notes": "from {{city}}"`, `"notes": "from {{}}"`], malformed),
  book("token malformed", "only spaces", [`"notes": "from {{city}}"`, `"notes": "from {{  }}"`], malformed),
  book(
    "token malformed",
    "three braces",
    [`"notes": "from {{city}}"`, `"notes": "from {{{city}}}"`],
    malformed,
  ),
  book(
    "token malformed",
    "in a description",
    [`"Says so to {{session.guest.name}}."`, `"Says so to {{session.guest.name."`],
    malformed,
  ),
  book(
    "token malformed",
    "a filter of another tool",
    [`"notes": "from {{city}}"`, `"notes": "from {{city | upper}}"`],
    { severity: "error" },
  ),
  booking.inFile("apis/rooms/requests/sessions/guest.json")(
    "token malformed",
    "in a saved request",
    [`"{{email}}"`, `"{{email"`],
    malformed,
  ),
  dunning("token malformed", "a path with two dots", [`{{facts.total.currency}}`, `{{facts..currency}}`], {
    severity: "error",
  }),
  book(
    "path malformed",
    "two dots",
    [`"source": "free.response.body.total"`, `"source": "free.response..total"`],
    {},
  ),
  book(
    "path malformed",
    "a bracket that is not closed",
    [`"source": "free.response.body.items[0].extras`, `"source": "free.response.body.items[0.extras`],
    {},
  ),
  book(
    "path malformed",
    "a wildcard",
    [`"source": "free.response.body.items[0].extras`, `"source": "free.response.body.items[*].extras`],
    {},
  ),
  book(
    "path malformed",
    "JSONPath",
    [`"source": "free.response.body.total"`, `"source": "$.free.response.body.total"`],
    {},
  ),
  calendar("token where none is allowed", "a count", [`"count": 4`, `"count": "{{week}}"`], {
    codes: ["field-type", "token-malformed"],
    severity: "error",
    words: ["forEach"],
  }),
  book("token where none is allowed", "the API", [`"api": "notices"`, `"api": "{{city}}"`], {
    codes: ["token-malformed"],
    severity: "error",
  }),
  book(
    "token where none is allowed",
    "an operator",
    [
      `"source": "booking.response.status", "operator": "equals"`,
      `"source": "booking.response.status", "operator": "{{city}}"`,
    ],
    { codes: ["token-malformed", "field-value"], severity: "error" },
  ),
  book(
    "token where none is allowed",
    "an iterator's name",
    [`"iteratorVar": "room"`, `"iteratorVar": "{{city}}"`],
    { severity: "error" },
  ),
  book(
    "token where none is allowed",
    "an input's default",
    [
      `"city": { "type": "string", "default": "Hamburg" }`,
      `"city": { "type": "string", "default": "{{env.rooms.email}}" }`,
    ],
    { severity: "error" },
  ),
  book("dynamic value misspelled", "$guid", [`"X-Request-Id": "{{$uuid}}"`, `"X-Request-Id": "{{$guid}}"`], {
    severity: "error",
    words: ["$uuid"],
  }),
  subscribe("dynamic value misspelled", "$randomint", ["{{$randomInt}}", "{{$randomint}}"], {
    severity: "error",
    words: ["$randomInt"],
  }),
  subscribe("dynamic value misspelled", "$timeStamp", ["{{$timestamp}}", "{{$timeStamp}}"], {
    severity: "error",
    words: ["$timestamp"],
  }),
  subscribe("dynamic value misspelled", "$index outside loops", ["{{$randomInt}}", "{{$index}}"], {
    severity: "error",
    words: ["loop"],
  }),
]

const project: readonly Mistake[] = [
  book("unknown API", "misspelled", [`"api": "notices"`, `"api": "notice"`], {
    codes: ["api-unknown"],
    severity: "error",
    words: ["notices"],
  }),
  book("unknown API", "in uppercase", [`"api": "notices"`, `"api": "Notices"`], {
    codes: ["api-unknown"],
    severity: "error",
    words: ["notices"],
  }),
  {
    id: "with the address of its document",
    kind: "unknown API",
    project: "booking",
    file: "callsheet.json",
    edit: {
      write: `{\n  "version": 1,\n  "sources": {\n    "notice": "https://notices.test/openapi.json"\n  }\n}\n`,
    },
    expected: { codes: ["api-unknown"], severity: "warning", at: `"notice":`, words: ["notices"] },
  },
  book("unknown operation", "misspelled", [`"operation": "searchRooms"`, `"operation": "searchRoom"`], {
    codes: ["operation-unknown"],
    severity: "error",
    words: ["searchRooms"],
  }),
  book(
    "unknown operation",
    "of another API",
    [`"operation": "searchRooms"`, `"operation": "createBooking"`],
    { codes: ["operation-unknown"], severity: "error" },
  ),
  book(
    "unknown operation",
    "a method that the path does not have",
    [`POST /bookings/{bookingId}/payments`, `PUT /bookings/{bookingId}/payments`],
    { codes: ["operation-unknown"], severity: "error" },
  ),
  book(
    "unknown operation",
    "another name of the parameter",
    [`POST /bookings/{bookingId}/payments`, `POST /bookings/{id}/payments`],
    { codes: ["operation-unknown"], severity: "error", words: ["{bookingId}"] },
  ),
  book("unknown operation", "in another resource", [`"resource": "photos"`, `"resource": "Rooms"`], {
    codes: ["operation-unknown"],
    severity: "error",
    at: [`"operation": "listPhotos"`, `"resource": "Rooms",\n            `],
  }),
  book("unknown resource", "of an operation", [`"resource": "Rooms"`, `"resource": "Roms"`], {
    codes: ["operation-unknown"],
    severity: "error",
    at: [`"resource": "Roms"`, `"operation": "listRooms"`],
    words: ["Rooms"],
  }),
  book("unknown resource", "of a saved request", [`"resource": "messages"`, `"resource": "mesages"`], {
    codes: ["instance-unknown"],
    severity: "error",
    at: [`"resource": "mesages"`, `"instance": "confirmation"`],
    words: ["messages"],
  }),
  book("unknown saved request", "misspelled", [`"instance": "confirmation"`, `"instance": "confirmtion"`], {
    codes: ["instance-unknown"],
    severity: "error",
    words: ["confirmation"],
  }),
  {
    id: "removed",
    kind: "unknown saved request",
    project: "booking",
    file: "apis/notices/requests/messages/confirmation.json",
    edit: { remove: true },
    expected: {
      codes: ["instance-unknown"],
      severity: "error",
      file: "apis/workflow/book.json",
      at: `"instance": "confirmation"`,
    },
  },
  subscribe(
    "saved request of another operation",
    "named next to it",
    [`"operation": "subscribe",`, `"operation": "getSubscription",`],
    {
      codes: ["instance-unknown"],
      severity: "error",
      at: `"instance": "monthly",\n        "overrides"`,
      words: ["monthly"],
    },
  ),
  booking.inFile("apis/bookings/requests/bookings/weekend.json")(
    "unknown operation",
    "of a saved request",
    [`"operation": "createBooking"`, `"operation": "createBoking"`],
    { codes: ["operation-unknown", "instance-unknown"], severity: "error", words: ["createBooking"] },
  ),
  billing.inFile("apis/billing/requests/usage/calls.json")(
    "unknown operation",
    "a path similar to a documented one",
    [`/subscriptions/{subscriptionId}/usage`, `/subscriptions/{subscriptionId}/usages`],
    { severity: "warning", words: ["/usage"] },
  ),
  book("script", "misspelled", [`"name": "stay", "exportName"`, `"name": "stays", "exportName"`], {
    codes: ["script-missing"],
    severity: "error",
    words: ["stay"],
  }),
  book("script", "with its extension", [`"name": "stay", "exportName"`, `"name": "stay.ts", "exportName"`], {
    codes: ["script-missing"],
    severity: "error",
  }),
  book("script", "an export misspelled", [`"exportName": "priceOfStay"`, `"exportName": "priceofStay"`], {
    codes: ["script-missing"],
    severity: "error",
    words: ["priceOfStay"],
  }),
  dunning(
    "script",
    "of an until loop, an export misspelled",
    [`"exportName": "isSettled"`, `"exportName": "isSetled"`],
    { codes: ["script-missing"], severity: "error", words: ["isSettled"] },
  ),
  {
    id: "removed from its folder",
    kind: "script",
    project: "billing",
    file: "apis/workflow/scripts/subscribe/pause.ts",
    edit: { remove: true },
    expected: {
      codes: ["script-missing"],
      severity: "error",
      file: "apis/workflow/subscribe.json",
      at: `"exportName": "pause"`,
    },
  },
  {
    id: "in the folder of another workflow",
    kind: "script",
    project: "billing",
    file: "apis/workflow/scripts/subscribe/pause.ts",
    edit: { rename: "apis/workflow/scripts/dunning/pause.ts" },
    expected: {
      codes: ["script-missing"],
      severity: "error",
      file: "apis/workflow/subscribe.json",
      at: `"exportName": "pause"`,
    },
  },
  {
    id: "an export that is not exported",
    kind: "script",
    project: "billing",
    file: "apis/workflow/scripts/subscribe/pause.ts",
    edit: { find: "export const pause", replace: "const pause" },
    expected: {
      codes: ["script-missing"],
      severity: "error",
      file: "apis/workflow/subscribe.json",
      at: `"exportName": "pause"`,
    },
  },
  {
    id: "not TypeScript",
    kind: "script",
    project: "billing",
    file: "apis/workflow/scripts/subscribe/pause.ts",
    edit: { find: "ctx.sleep(10)", replace: "ctx.sleep(10" },
    expected: {
      codes: ["script-syntax"],
      severity: "error",
      file: "apis/workflow/subscribe.json",
      at: `"exportName": "pause"`,
    },
  },
  checkout("unknown saved request", "of the sample project", [`"instance": "gift"`, `"instance": "gifts"`], {
    codes: ["instance-unknown"],
    severity: "error",
    words: ["gift"],
  }),
]

export const nameMistakes: readonly Mistake[] = [...ids, ...tokens, ...project]
