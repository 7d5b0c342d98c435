// Edits that are valid, however unusual: validate must not report errors for them. If it may warn, the row says so.

import type { Edit, ProjectName } from "../mistake.ts"

export interface ValidEdit {
  readonly id: string
  readonly project: ProjectName
  readonly file: string
  readonly edit: Edit
  readonly warns?: true
}

const inFile =
  (project: ProjectName, file: string) =>
  (id: string, find: string, replace: string, more: { readonly warns?: true } = {}): ValidEdit => ({
    id,
    project,
    file,
    edit: { find, replace },
    ...more,
  })

const book = inFile("booking", "apis/workflow/book.json")
const calendar = inFile("booking", "apis/workflow/calendar.json")
const refuse = inFile("booking", "apis/workflow/refuse.json")
const subscribe = inFile("billing", "apis/workflow/subscribe.json")
const dunning = inFile("billing", "apis/workflow/dunning.json")

const text: readonly ValidEdit[] = [
  book("a literal brace", `"notes": "from {{city}}"`, `"notes": "from \\\\{{city"`),
  book("a backslash before a token", `"notes": "from {{city}}"`, `"notes": "\\\\\\\\{{city}}"`),
  book("blanks in a token", `"notes": "from {{city}}"`, `"notes": "from {{  city }}"`),
  book(
    "every dynamic value",
    `"notes": "from {{city}}"`,
    `"notes": "{{$uuid}} {{$timestamp}} {{$isoTimestamp}} {{$randomInt}}"`,
  ),
  book("single braces", `"notes": "from {{city}}"`, `"notes": "{ \\"a\\": {city} }"`),
  book("a byte order mark", `{\n  "version": 1,`, `\uFEFF{\n  "version": 1,`),
  book("$schema", `{\n  "version": 1,`, `{\n  "$schema": "../../schemas/workflow.json",\n  "version": 1,`),
  book(
    "a key with every path in quotes",
    `"source": "free.response.body.total"`,
    `"source": "free[\\"response\\"][\\"body\\"].total"`,
  ),
  book(
    "an index in brackets",
    "free.response.body.items.0.rate.amount",
    "free.response.body.items[0].rate.amount",
  ),
  book("an id with blanks and signs", `"id": "booked"`, `"id": "booked & confirmed, 1st!"`),
  book("an id in another script", `"id": "booked"`, `"id": "gebucht-日本"`),
]

const names: readonly ValidEdit[] = [
  book(
    "a variable of the request's API",
    `"notes": "from {{city}}"`,
    `"notes": "{{tenant}} {{maxNights}} {{baseUrl}}"`,
  ),
  book("a variable of another API by env", `"notes": "from {{city}}"`, `"notes": "{{env.notices.sender}}"`),
  book("env in a path", `"source": "session.guest.email"`, `"source": "env.rooms.email"`),
  book("an input in a path", `"source": "session.guest.email"`, `"source": "city"`),
  book(
    "a whole body as a value",
    `"data.booking": "{{seen.response.body.id}}"`,
    `"data": "{{seen.response.body}}"`,
  ),
  book(
    "tokens deep in a value",
    `"guests.2": { "name": "Linus", "age": 4 }`,
    `"guests.2": { "name": "{{session.guest.name}} {{city}}", "age": "{{guests}}" }`,
  ),
  book("an operation by a token", `"operation": "getBooking"`, `"operation": "{{city}}"`),
  book("a saved request by a token", `"instance": "confirmation"`, `"instance": "{{city}}"`),
  book("a script by a token", `{ "name": "stay", "exportName"`, `{ "name": "{{city}}", "exportName"`),
  book(
    "a nested token",
    `"notes": "from {{city}}"`,
    `"notes": "{{free.response.body.items.{{guests}}.name}}"`,
  ),
  book(
    "a path made of a token",
    `"source": "free.response.body.items.0.kind"`,
    `"source": "free.response.body.items.{{guests}}.kind"`,
  ),
  book("a name made of a token", `"source": "session.guest.email"`, `"source": "{{city}}.response.status"`, {
    warns: true,
  }),
  book("what a script returns", "{{stay.perNight}}", "{{stay.anything.0.at-all}}"),
  book("a resource by its slug", `"resource": "Rooms"`, `"resource": "rooms"`),
  book("no resource at all", `"resource": "Rooms",\n        `, ``),
  book("an operation by method and path", `"operation": "searchRooms"`, `"operation": "POST /rooms/search"`),
  book(
    "an operation next to its instance",
    `"instance": "weekend",`,
    `"operation": "createBooking",\n        "instance": "weekend",`,
  ),
]

const order: readonly ValidEdit[] = [
  calendar(
    "the last iteration in a loop: paging",
    `"query": { "status": "confirmed" }`,
    `"query": { "status": "confirmed", "cursor": "{{page.response.body.cursor}}" }`,
  ),
  calendar(
    "a later block of the same loop",
    `"source": "pageNumber", "operator": "equals", "value": 0`,
    `"source": "page.response.body.cursor", "operator": "hasValue"`,
  ),
  calendar(
    "an iterator after a nested loop",
    `"status": "confirmed" },\n                "header"`,
    `"status": "confirmed", "cursor": "{{pageNumber}}" },\n                "header"`,
  ),
  calendar(
    "the last iteration after a loop",
    `"source": "free-1.response.body.total"`,
    `"source": "page.response.body.data.0.total.amount"`,
  ),
  calendar(
    "an expanded id after a loop",
    "{{free-1.response.body.items.0.name}}",
    "{{free-0.response.body.items.0.rate.currency}}",
  ),
  calendar(
    "$index as well as the iterator",
    `"source": "free-{{week}}.response.status"`,
    `"source": "free-{{$index}}.response.status"`,
  ),
  dunning("a result of a loop after it", "{{invoice.response.body.id}}", "{{invoice.response.body.number}}"),
  book("a branch that reads earlier results", `"token": "tok_1"`, `"token": "{{booking.response.body.id}}"`),
  book(
    "a group's block after the group",
    `"source": "message.response.body.id"`,
    `"source": "message.response.headers.x-request-id"`,
  ),
]

const types: readonly ValidEdit[] = [
  book("an API without a document", "message.response.body.id", "message.response.body.any.thing.0.at-all"),
  book("an undocumented header", "booking.response.headers.location", "booking.response.headers.x-trace"),
  book(
    "a header in brackets",
    "booking.response.headers.location",
    'booking.response.headers[\\"location\\"]',
  ),
  book(
    "set-cookie is an array",
    `"booking.response.headers.location", "operator": "contains", "value": "/bookings/"`,
    `"booking.response.headers.set-cookie.0", "operator": "contains", "value": "sid="`,
  ),
  book("the duration", "booking.response.status", "booking.response.durationMs", { warns: true }),
  book("a key of a map", "extras.parking.amount", 'extras[\\"late check-out\\"].amount'),
  book(
    "a branch of oneOf",
    "pay-by-card.response.body.detail.last4",
    "pay-by-card.response.body.detail.number",
  ),
  book(
    "a property below a nullable object",
    `"source": "booking.response.body.payment"`,
    `"source": "booking.response.body.payment.detail.brand"`,
  ),
  book(
    "an optional property that is not there",
    `"source": "booking.response.body.payment", "operator": "hasNoValue"`,
    `"source": "booking.response.body.breakfast", "operator": "notExists"`,
  ),
  book(
    "null for what may be null",
    `"source": "free.response.body.items.0.view", "operator": "exists"`,
    `"source": "free.response.body.items.0.view", "operator": "notEquals", "value": null`,
  ),
  book(
    "contains in a nullable string",
    `"source": "free.response.body.items.0.view", "operator": "exists"`,
    `"source": "free.response.body.items.0.view", "operator": "contains", "value": "sea"`,
  ),
  book(
    "equals with an object",
    `"source": "booking.response.body.breakfast", "operator": "equals", "value": true`,
    `"source": "booking.response.body.total", "operator": "equals", "value": { "amount": 1, "currency": "EUR" }`,
  ),
  book(
    "equals with an empty array",
    `"source": "booking.response.body.breakfast", "operator": "equals", "value": true`,
    `"source": "booking.response.body.guests", "operator": "equals", "value": []`,
  ),
  book(
    "a value by an input of another type",
    `"operator": "lessThan", "value": 18`,
    `"operator": "lessThan", "value": "{{guests}}"`,
  ),
  book(
    "notExists of a property that an error response does not have",
    `"source": "booking.response.body.payment", "operator": "hasNoValue"`,
    `"source": "booking.response.body.errors", "operator": "notExists"`,
    { warns: true },
  ),
  subscribe("any key of open metadata", "plan.metadata.successor", "plan.metadata.a.b.0.c"),
  subscribe(
    "an undocumented label",
    "account.response.body.labels.cost-center",
    'account.response.body.labels[\\"any.thing\\"]',
  ),
  refuse(
    "an error response with its own body",
    `"source": "taken.response.body.status", "operator": "equals", "value": 409`,
    `"source": "taken.response.body.title", "operator": "contains", "value": "taken"`,
  ),
  refuse(
    "the same block looked at for two statuses",
    `"source": "taken.response.status", "operator": "equals", "value": 409`,
    `"source": "taken.response.status", "operator": "notEquals", "value": 201`,
  ),
  refuse(
    "greaterThan for a status",
    `"source": "taken.response.status", "operator": "equals", "value": 409`,
    `"source": "taken.response.status", "operator": "greaterThan", "value": 399`,
  ),
  refuse(
    "an override that is wrong on purpose",
    `{ "body": { "to": "2026-05-01" } }`,
    `{ "body": { "to": 7, "guests": [], "color": "red" } }`,
    { warns: true },
  ),
  refuse(
    "a required header left out on purpose",
    `"body": { "password": "wrong-{{$randomInt}}" }`,
    `"body": { "password": null }`,
    { warns: true },
  ),
]

const requests: readonly ValidEdit[] = [
  book(
    "a header of one's own",
    `"X-Request-Id": "{{$uuid}}"`,
    `"X-Trace": "{{$uuid}}", "Accept-Language": "de"`,
  ),
  book(
    "a cookie of one's own",
    `"header": { "X-Request-Id": "{{$uuid}}" }`,
    `"cookie": { "theme": "dark", "sid": "" }`,
  ),
  book(
    "a body as a whole path",
    `"near.city": "{{city}}",\n            "near.km": 12.5`,
    `"near": { "city": "{{city}}" }`,
  ),
  book("a body's key in brackets", `"near.city": "{{city}}"`, `"near[\\"city\\"]": "{{city}}"`),
  book(
    "an array created by overrides",
    `"features": ["desk", "balcony"]`,
    `"features.0": "desk", "features.1": "balcony"`,
  ),
  subscribe("null to clear a nullable field", `"start.on": "2026-02-01"`, `"coupon": null`),
  subscribe(
    "a form's secret by a variable",
    `"instance": "service" }`,
    `"instance": "service", "overrides": { "body": { "scope": "read" } } }`,
  ),
]

const environments: readonly ValidEdit[] = [
  inFile("booking", "apis/rooms/environments/local.secrets.env")(
    "a private override of a plain variable",
    `password=`,
    `timeout=100\npassword=`,
  ),
  inFile("booking", "apis/rooms/environments/local.secrets.env")(
    "a value over two lines",
    `password=window-lamp-12`,
    `password="window\nlamp"`,
  ),
  inFile("booking", "apis/rooms/environments/local.secrets.env")(
    "comments and blank lines",
    `password=window-lamp-12`,
    `\n# a comment = none\npassword = window # the lamp\n\n`,
  ),
  inFile("booking", "apis/rooms/environments/local.json")(
    "a null for a variable that need not be",
    `"timeout": 2000`,
    `"timeout": 2000,\n  "currency": null`,
  ),
  inFile("booking", "apis/rooms/environments/local.json")(
    "an empty text",
    `"timeout": 2000`,
    `"timeout": 2000,\n  "currency": ""`,
  ),
  inFile("booking", "apis/rooms/environments/staging.json")(
    "a certificate that is not read yet",
    `"verify": true`,
    `"verify": true, "ca": "certs/ca.pem"`,
  ),
  inFile("booking", "apis/rooms/environments/schema.json")(
    "$schema in schema.json",
    `"version": 1,`,
    `"$schema": "../../../schemas/schema.json",\n  "version": 1,`,
  ),
]

export const validEdits: readonly ValidEdit[] = [
  ...text,
  ...names,
  ...order,
  ...types,
  ...requests,
  ...environments,
]
