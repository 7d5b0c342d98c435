// Assertions that can never pass, or always do, by the types of the contract.

import type { Mistake } from "../mistake.ts"
import { book, calendar, refuse, subscribe, dunning, checkout, said, error, warning } from "./places.ts"

export const typeMistakes: readonly Mistake[] = [
  book(
    "status compared with a string",
    "equals",
    [
      `"source": "booking.response.status", "operator": "equals", "value": 201`,
      `"source": "booking.response.status", "operator": "equals", "value": "201"`,
    ],
    said("number"),
  ),
  dunning(
    "status compared with a string",
    "in another workflow",
    [
      `"source": "pay.response.status", "operator": "equals", "value": 201`,
      `"source": "pay.response.status", "operator": "equals", "value": "201"`,
    ],
    said("number"),
  ),
  book(
    "status compared with a string",
    "lessThan",
    [
      `"source": "message.response.status", "operator": "lessThan", "value": 300`,
      `"source": "message.response.status", "operator": "lessThan", "value": "300"`,
    ],
    {},
  ),
  book(
    "undocumented status",
    "200 for 201",
    [
      `"source": "booking.response.status", "operator": "equals", "value": 201`,
      `"source": "booking.response.status", "operator": "equals", "value": 200`,
    ],
    {},
  ),
  refuse(
    "undocumented status",
    "403 for 404",
    [`"operator": "equals", "value": 404`, `"operator": "equals", "value": 403`],
    {},
  ),
  book(
    "operator that never passes",
    "greaterThan of a string",
    [
      `"source": "booking.response.body.status", "operator": "equals", "value": "held"`,
      `"source": "booking.response.body.status", "operator": "greaterThan", "value": 1`,
    ],
    error("greater"),
  ),
  book(
    "operator that never passes",
    "lessThan of a boolean",
    [
      `"source": "booking.response.body.breakfast", "operator": "equals", "value": true`,
      `"source": "booking.response.body.breakfast", "operator": "lessThan", "value": 1`,
    ],
    error("less"),
  ),
  book(
    "operator that never passes",
    "greaterThan of an array",
    [`"source": "free.response.body.total", "operator"`, `"source": "free.response.body.items", "operator"`],
    error("greater"),
  ),
  book(
    "operator that never passes",
    "contains of a number",
    [
      `"source": "free.response.body.total", "operator": "greaterThan", "value": 0`,
      `"source": "free.response.body.total", "operator": "contains", "value": 0`,
    ],
    error("contains"),
  ),
  book(
    "operator that never passes",
    "contains of an object",
    [`"source": "booking.response.body.guests"`, `"source": "booking.response.body.room"`],
    {
      severity: "error",
      words: ["contains"],
      within: [`"source": "booking.response.body.room"`, `"age": 4`],
    },
  ),
  book(
    "operator that never passes",
    "contains a number in a string",
    [`"operator": "contains", "value": "/bookings/"`, `"operator": "contains", "value": 7`],
    {},
  ),
  subscribe(
    "operator that never passes",
    "through an iterator",
    [
      `"source": "plan.interval", "operator": "equals", "value": "month"`,
      `"source": "plan.interval", "operator": "lessThan", "value": 12`,
    ],
    warning("less"),
  ),
  subscribe(
    "operator that never passes",
    "in a condition",
    [
      `"source": "plan.retired", "operator": "equals", "value": false`,
      `"source": "plan.retired", "operator": "contains", "value": false`,
    ],
    warning("contains"),
  ),
  dunning(
    "operator that never passes",
    "in an until",
    [
      `"source": "batch.response.body.more", "operator": "equals", "value": false`,
      `"source": "batch.response.body.more", "operator": "lessThan", "value": 1`,
    ],
    warning("less"),
  ),
  book(
    "value of another type",
    "a number in quotes",
    [
      `"source": "free.response.body.total", "operator": "greaterThan", "value": 0`,
      `"source": "free.response.body.total", "operator": "greaterThan", "value": "0"`,
    ],
    {},
  ),
  book(
    "value of another type",
    "a boolean in quotes",
    [
      `"source": "booking.response.body.breakfast", "operator": "equals", "value": true`,
      `"source": "booking.response.body.breakfast", "operator": "equals", "value": "true"`,
    ],
    said("boolean"),
  ),
  subscribe(
    "value of another type",
    "a number in quotes, equals",
    [
      `"source": "usage-4.response.body.total", "operator": "equals", "value": 10`,
      `"source": "usage-4.response.body.total", "operator": "equals", "value": "10"`,
    ],
    said("number"),
  ),
  book(
    "value of another type",
    "null where null is not documented",
    [
      `"source": "booking.response.body.status", "operator": "equals", "value": "held"`,
      `"source": "booking.response.body.status", "operator": "equals", "value": null`,
    ],
    said("null"),
  ),
  book(
    "value of another type",
    "through a token",
    [
      `"source": "booking.response.body.guests.2.age", "operator": "lessThan", "value": 18`,
      `"source": "booking.response.body.guests.2.age", "operator": "lessThan", "value": "{{city}}"`,
    ],
    {},
  ),
  subscribe(
    "value of another type",
    "a text around a token",
    [
      `"source": "subscription.response.body.quantity", "operator": "equals", "value": "{{seats}}"`,
      `"source": "subscription.response.body.quantity", "operator": "equals", "value": " {{seats}}"`,
    ],
    {},
  ),
  subscribe(
    "value of another type",
    "an input's boolean as text",
    [
      `"source": "keep", "operator": "equals", "value": false`,
      `"source": "keep", "operator": "equals", "value": "false"`,
    ],
    said("boolean"),
  ),
  book(
    "value of another type",
    "an array's item",
    [
      `room.features", "operator": "contains", "value": "desk"`,
      `room.features", "operator": "contains", "value": 1`,
    ],
    {},
  ),
  book(
    "value of another type",
    "an object with a property misspelled",
    [`"value": { "name": "Linus", "age": 4 }`, `"value": { "name": "Linus", "agee": 4 }`],
    { within: [`"source": "booking.response.body.guests"`, `"agee"`] },
  ),
  book(
    "value not in the enum",
    "misspelled",
    [
      `"source": "booking.response.body.status", "operator": "equals", "value": "held"`,
      `"source": "booking.response.body.status", "operator": "equals", "value": "hold"`,
    ],
    said("held"),
  ),
  book(
    "value not in the enum",
    "in another case",
    [`"operator": "equals", "value": "double"`, `"operator": "equals", "value": "Double"`],
    said("double"),
  ),
  book(
    "value not in the enum",
    "in an until",
    [`"operator": "equals", "value": "confirmed"`, `"operator": "equals", "value": "confirmd"`],
    said("confirmed"),
  ),
  book(
    "value not in the enum",
    "of an array's items",
    [
      `room.features", "operator": "contains", "value": "desk"`,
      `room.features", "operator": "contains", "value": "desks"`,
    ],
    said("desk"),
  ),
  book(
    "value not in the enum",
    "notEquals, which always passes",
    [`"value": "single"`, `"value": "singel"`],
    said("single"),
  ),
  dunning(
    "value not in the enum",
    "in a condition",
    [
      `"source": "facts.state", "operator": "equals", "value": "open"`,
      `"source": "facts.state", "operator": "equals", "value": "opened"`,
    ],
    said("open"),
  ),
  calendar(
    "value not in the enum",
    "through an iterator",
    [
      `"source": "entry.status", "operator": "equals", "value": "confirmed"`,
      `"source": "entry.status", "operator": "equals", "value": "cofirmed"`,
    ],
    said("confirmed"),
  ),
  checkout("value not in the enum", "in the sample project", [`"value": "open"`, `"value": "opened"`], {
    words: ["open"],
    within: [`"source": "order.response.body.status"`, `"opened"`],
  }),
  book(
    "exists of what is always or never there",
    "notExists of a required property",
    [
      `"source": "booking.response.body.payment", "operator": "hasNoValue"`,
      `"source": "booking.response.body.total", "operator": "hasNoValue"`,
    ],
    {},
  ),
]
