// Values in OpenAPI documents that check nothing, or something else than their authors expect.

import type { Mistake } from "../mistake.ts"
import { booking } from "./places.ts"

const rooms = booking.inFile("apis/rooms/openapi.json")
const bookings = booking.inFile("apis/bookings/openapi.yaml")

const standard = (...words: readonly string[]) =>
  ({ codes: ["document-standard"], severity: "warning", words }) as const

export const documentMistakes: readonly Mistake[] = [
  rooms(
    "schema",
    "a type in upper case",
    [`"smoking": { "type": "boolean" }`, `"smoking": { "type": "Boolean" }`],
    {
      ...standard(`did you mean "boolean"?`),
    },
  ),
  rooms(
    "schema",
    "a type of another language",
    [`"total": { "type": "integer" }`, `"total": { "type": "int" }`],
    {
      ...standard(`write "integer"`),
    },
  ),
  rooms(
    "schema",
    "required in a property",
    [`"url": { "type": "string" }`, `"url": { "type": "string", "required": true }`],
    standard(`"required": ["url"]`),
  ),
  rooms(
    "schema",
    "a bound in quotes",
    [
      `"type": "integer", "minimum": 1 } },\n          { "name": "page"`,
      `"type": "integer", "minimum": "1" } },\n          { "name": "page"`,
    ],
    standard("remove the quotes"),
  ),
  rooms("schema", "a keyword misspelled", [`"minItems": 1`, `"minItem": 1`], standard(`"minItems"`)),
  rooms(
    "schema",
    "nullable after 3.0",
    [`"view": { "type": ["string", "null"] }`, `"view": { "type": "string", "nullable": true }`],
    standard(`["string", "null"]`),
  ),
  rooms(
    "schema",
    "items as a list",
    [
      `"labels": { "type": "array", "items": { "type": "string" } }`,
      `"labels": { "type": "array", "items": [] }`,
    ],
    standard(`"prefixItems"`),
  ),
  rooms(
    "schema",
    "a pattern of another language",
    [`"height": { "type": "integer" }`, `"height": { "type": "string", "pattern": "\\\\A[0-9]+\\\\z" }`],
    standard("the letter A"),
  ),
  rooms(
    "schema",
    "a schema that includes itself",
    [
      `"allOf": [\n          { "$ref": "#/components/schemas/Stored" }`,
      `"allOf": [\n          { "$ref": "#/components/schemas/Room" }`,
    ],
    standard("Room → Room"),
  ),
  bookings(
    "schema",
    "a number in a list of texts",
    [
      "Status: { type: string, enum: [held, confirmed, cancelled] }",
      "Status: { type: string, enum: [held, 08, 09] }",
    ],
    standard("8 and 9", "quotes"),
  ),
  bookings(
    "schema",
    "a file in place of the properties",
    [
      "        amount: { type: integer }\n        currency: { type: string }\n      additionalProperties: false\n    Guest:",
      "        $ref: money.yaml\n      additionalProperties: false\n    Guest:",
    ],
    { ...standard(), codes: ["file-unreadable"], severity: "error" },
  ),
  bookings(
    "document part",
    "a place of a parameter in upper case",
    ["{ name: cursor, in: query,", "{ name: cursor, in: Query,"],
    standard(`did you mean "query"?`),
  ),
  bookings(
    "document part",
    "a body without content",
    [
      '        content:\n          application/json:\n            schema: { $ref: "#/components/schemas/NewBooking" }',
      '        schema: { $ref: "#/components/schemas/NewBooking" }',
    ],
    standard(`move it to "content"`),
  ),
  bookings(
    "document part",
    "a security scheme by its scheme",
    ["bearer: { type: http, scheme: bearer }", "bearer: { type: bearer }"],
    standard(`"scheme": "bearer"`),
  ),
]
