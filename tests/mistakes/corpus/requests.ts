// Mistakes in requests: parameters, bodies, and the files of saved requests.

import type { Mistake } from "../mistake.ts"
import { booking, billing, shop, book, calendar, subscribe, dunning, weekend, said, error } from "./places.ts"

const guest = booking.inFile("apis/rooms/requests/sessions/guest.json")
const service = billing.inFile("apis/accounts/requests/tokens/service.json")
const calls = billing.inFile("apis/billing/requests/usage/calls.json")

export const requestMistakes: readonly Mistake[] = [
  book(
    "path parameter missing",
    "of an operation",
    [
      `"operation": "listPhotos",\n            "overrides": { "params": { "path": { "roomId": "{{room.id}}" } } }`,
      `"operation": "listPhotos"`,
    ],
    {
      ...error("roomId"),
      codes: ["path-param-missing"],
      within: [`"id": "photos-{{room.id}}"`, `"id": "first-photo`],
    },
  ),
  subscribe(
    "path parameter missing",
    "of a saved request",
    [
      `"path": { "subscriptionId": "{{subscription.response.body.id}}" },\n                "header": { "Authorization": "Bearer {{session.token}}" }\n              },\n              "body": { "quantity": "{{day}}"`,
      `"header": { "Authorization": "Bearer {{session.token}}" }\n              },\n              "body": { "quantity": "{{day}}"`,
    ],
    {
      ...error("subscriptionId"),
      codes: ["path-param-missing"],
      within: [`"id": "usage-{{day}}"`, `"tags.1"`],
    },
  ),
  booking.inFile("apis/notices/requests/messages/confirmation.json")(
    "path parameter missing",
    "without a document",
    [`    "path": { "channel": "mail" },\n`, ``],
    {
      ...error("channel"),
      codes: ["path-param-missing"],
      file: "apis/workflow/book.json",
      within: [`"id": "message"`, `"data.booking"`],
    },
  ),
  dunning(
    "path parameter unknown",
    "misspelled",
    [`"path": { "invoiceId": "{{invoiceId}}" }`, `"path": { "invoiceID": "{{invoiceId}}" }`],
    error("invoiceId"),
  ),
  book(
    "path parameter unknown",
    "an extra one",
    [`"path": { "roomId": "{{room.id}}" }`, `"path": { "roomId": "{{room.id}}", "photoId": "1" }`],
    error("photoId"),
  ),
  dunning(
    "path parameter unknown",
    "as a query parameter",
    [`"path": { "invoiceId": "{{invoiceId}}" }`, `"query": { "invoiceId": "{{invoiceId}}" }`],
    { words: ["invoiceId"], within: [`"id": "invoice"`, `"id": "adds-up"`] },
  ),
  book(
    "path parameter empty",
    "an empty text",
    [`"path": { "roomId": "{{room.id}}" }`, `"path": { "roomId": "" }`],
    {},
  ),
  book("query parameter", "misspelled", [`"sort": "price"`, `"srot": "price"`], said("sort")),
  book(
    "query parameter",
    "in another case",
    [`"guests": "{{guests}}", "sort"`, `"Guests": "{{guests}}", "sort"`],
    said("guests"),
  ),
  book("query parameter", "not in its enum", [`"sort": "price"`, `"sort": "prize"`], said("price")),
  dunning("query parameter", "not in a $ref's enum", [`"state": "open"`, `"state": "opened"`], said("open")),
  dunning("query parameter", "a text for a number", [`"limit": "50"`, `"limit": "fifty"`], said("limit")),
  book("query parameter missing", "required", [`"to": "2026-05-03", `, ``], {
    words: ["to"],
    within: [`"id": "free"`, `"X-Request-Id"`],
  }),
  subscribe("query parameter missing", "the only one", [`                "query": { "at": "now" },\n`, ``], {
    words: ["at"],
    within: [`"id": "end"`, `"id": "ended"`],
  }),
  book(
    "query parameter",
    "not in the enum of an operation that requires it",
    [`"from": "2026-05-01", "to": "2026-05-03"`, `"form": "2026-05-01", "to": "2026-05-03"`],
    said("from"),
  ),
  book(
    "body field misspelled",
    "in an override",
    [`"near.city": "{{city}}"`, `"near.town": "{{city}}"`],
    said("town"),
  ),
  book(
    "body field misspelled",
    "at the top of an override",
    [`"features": ["desk", "balcony"]`, `"feature": ["desk", "balcony"]`],
    said("features"),
  ),
  book(
    "body field misspelled",
    "in an override of a saved request",
    [`"notes": "from {{city}}"`, `"note": "from {{city}}"`],
    said("notes"),
  ),
  book(
    "body field misspelled",
    "inside an override's value",
    [`"guests.2": { "name": "Linus", "age": 4 }`, `"guests.2": { "nmae": "Linus", "age": 4 }`],
    said("nmae"),
  ),
  weekend(
    "body field misspelled",
    "of a saved request",
    [`"breakfast": true`, `"brekfast": true`],
    said("breakfast"),
  ),
  weekend(
    "body field misspelled",
    "in an array of a saved request",
    [`{ "name": "Grace", "age": 40 }`, `{ "name": "Grace", "aeg": 40 }`],
    said("aeg"),
  ),
  service("body field misspelled", "of a form", [`"client_id": `, `"clientid": `], said("client_id")),
  dunning("body field misspelled", "memo", [`"memo": "for`, `"note": "for`], said("note")),
  book(
    "body field missing",
    "of a bare operation",
    [`            "guests": "{{guests}}",\n            "features"`, `            "features"`],
    { words: ["guests"], within: [`"id": "found"`, `"near.km"`] },
  ),
  weekend("body field missing", "of a saved request", [`    "from": "2026-05-01",\n`, ``], {
    words: ["from"],
    anywhere: true,
  }),
  weekend(
    "body field missing",
    "in an array",
    [`{ "name": "Ada", "age": 36 }`, `{ "name": "Ada" }`],
    said("age"),
  ),
  guest("body field missing", "the password", [`,\n    "password": "{{password}}"`, ``], {
    words: ["password"],
    anywhere: true,
  }),
  subscribe(
    "body field missing",
    "in an object created by overrides",
    [`            "address.city": "Hamburg",\n`, ``],
    { words: ["city"], within: [`"id": "account"`, `"labels.cost-center"`] },
  ),
  book(
    "body missing",
    "of an operation that requires one",
    [`,\n              "body": { "method": "invoice", "address": "Lighthouse Road 3" }`, ``],
    { words: ["body"], within: [`"id": "pay-by-invoice"`, `"id": "invoiced"`] },
  ),
  book(
    "body that the operation does not accept",
    "of a GET",
    [
      `"operation": "listPhotos",\n            "overrides": {`,
      `"operation": "listPhotos",\n            "overrides": { "body": { "a": 1 },`,
    ],
    { words: ["body"], within: [`"operation": "listPhotos"`, `"roomId"`] },
  ),
  book(
    "body field of another type",
    "a text for a number",
    [`"near.km": 12.5`, `"near.km": "far"`],
    said("km"),
  ),
  book(
    "body field of another type",
    "a number for an array",
    [`"features": ["desk", "balcony"]`, `"features": "desk"`],
    said("features"),
  ),
  book(
    "body field of another type",
    "by a token",
    [`"near.city": "{{city}}"`, `"near.city": "{{guests}}"`],
    said("city"),
  ),
  weekend("body field of another type", "of a saved request", [`"age": 36`, `"age": "36"`], said("age")),
  weekend(
    "body field of another type",
    "a boolean in quotes",
    [`"breakfast": true`, `"breakfast": "yes"`],
    said("breakfast"),
  ),
  calls(
    "body field of another type",
    "found by method and path",
    [`"meter": "calls"`, `"meter": 7`],
    said("meter"),
  ),
  book(
    "body field not in its enum",
    "in an array",
    [`"features": ["desk", "balcony"]`, `"features": ["desk", "balkony"]`],
    said("balcony"),
  ),
  subscribe(
    "body field not in its enum",
    "in an override",
    [`"kind": "company"`, `"kind": "firm"`],
    said("company"),
  ),
  service(
    "body field not in its enum",
    "a const",
    [`"grant_type": "client_credentials"`, `"grant_type": "client_credential"`],
    said("client_credentials"),
  ),
  book(
    "override that cannot be set",
    "below a scalar of the saved body",
    [`"roomId": "{{free.response.body.items.0.id}}"`, `"roomId.id": "{{free.response.body.items.0.id}}"`],
    said("roomId"),
  ),
  book(
    "override that cannot be set",
    "past the end of an array",
    [`"guests.2": { "name"`, `"guests.5": { "name"`],
    said("guests"),
  ),
  subscribe(
    "override that cannot be set",
    "in two elements instead of one",
    [`"contacts.0.phone"`, `"contacts.1.phone"`],
    { words: ["phone"], within: [`"id": "account"`, `"labels.cost-center"`] },
  ),
  calendar(
    "parameter in the wrong place",
    "next to params",
    [
      `"overrides": {\n              "params": {\n                "query": { "status": "confirmed" },`,
      `"overrides": {\n              "query": { "status": "confirmed" },\n              "params": {`,
    ],
    {
      codes: ["field-unknown"],
      severity: "error",
      words: ["query"],
      at: `"query": { "status": "confirmed" }`,
    },
  ),
  shop.inFile("apis/payments/requests/evidence/delivery-note.json")(
    "missing file",
    "of a multipart body",
    ["files/delivery-note.txt", "files/deliverynote.txt"],
    said("deliverynote"),
  ),
  shop.inFile("apis/payments/requests/evidence/signature.json")(
    "missing file",
    "of a file body",
    [`"body": "files/signature.svg"`, `"body": "files/signatur.svg"`],
    said("signatur.svg"),
  ),
  shop.inFile("apis/payments/requests/evidence/signature.json")(
    "missing file",
    "outside the project",
    [`"body": "files/signature.svg"`, `"body": "../signature.svg"`],
    {},
  ),
  shop.inFile("apis/payments/requests/evidence/note.json")(
    "body of another kind",
    "an object as text",
    [
      `"body": "The customer called: the parcel arrived, \\"all well\\".\\nNothing to do."`,
      `"body": { "text": "all well" }`,
    ],
    { severity: "error" },
  ),
  service(
    "body of another kind",
    "a string as a form",
    [
      `"body": {\n    "grant_type": "client_credentials",\n    "client_id": "{{clientId}}",\n    "client_secret": "{{clientSecret}}"\n  }`,
      `"body": "grant_type=client_credentials"`,
    ],
    { severity: "error" },
  ),
  service("body of another kind", "JSON where a form is documented", [`  "bodyType": "form",\n`, ``], {
    anywhere: true,
  }),
  booking.inFile("apis/notices/requests/messages/confirmation.json")(
    "address in the path",
    "a whole URL",
    [`"path": "/messages/{channel}"`, `"path": "https://notices.example/messages/{channel}"`],
    error("baseUrl"),
  ),
  booking.inFile("apis/notices/requests/messages/confirmation.json")(
    "address in the path",
    "a query string",
    [`"path": "/messages/{channel}"`, `"path": "/messages/{channel}?dry=true"`],
    error("query"),
  ),
]
