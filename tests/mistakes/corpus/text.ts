// Files that do not parse or are unfinished.

import type { Mistake } from "../mistake.ts"
import { billing, book, booking, dunning } from "./places.ts"

const json = { codes: ["json-syntax"], severity: "error" } as const

export const textMistakes: readonly Mistake[] = [
  book(
    "trailing comma",
    "after the last assertion",
    [`"value": "{{env.rooms.email}}" }`, `"value": "{{env.rooms.email}}" },`],
    {
      ...json,
      within: [`"{{env.rooms.email}}"`, "]"],
    },
  ),
  booking.inFile("apis/rooms/environments/local.json")(
    "trailing comma",
    "in a value file",
    [`"timeout": 2000`, `"timeout": 2000,`],
    { ...json, within: [`"timeout"`, "}"] },
  ),
  booking.inFile("apis/rooms/environments/schema.json")(
    "trailing comma",
    "in schema.json",
    [`"default": "EUR" }`, `"default": "EUR" },`],
    { ...json, within: [`"currency"`, "}\n}"] },
  ),
  book("missing comma", "between two fields", [`"mode": "until",`, `"mode": "until"`], {
    ...json,
    within: [`"mode": "until"`, `"until": {`],
  }),
  book("missing comma", "between two blocks", [`"operation": "searchRooms",`, `"operation": "searchRooms"`], {
    ...json,
    within: [`"searchRooms"`, "overrides"],
  }),
  book("quotes", "single quotes", [`"operation": "searchRooms"`, `"operation": 'searchRooms'`], json),
  book("quotes", "none around a name", [`"maxIterations": 10`, `maxIterations: 10`], json),
  book("quotes", "not closed", [`"operation": "getBooking"`, `"operation": "getBooking`], json),
  book("comment in JSON", "a line of //", [`"mode": "until",`, `"mode": "until", // wait for it`], json),
  dunning(
    "comment in JSON",
    "a block of /* */",
    [`"onFailure": "halt",`, `/* stop */ "onFailure": "halt",`],
    json,
  ),
  book("bracket not closed", "a missing brace", [`"until": { "source"`, `"until": "source"`], json),
  booking.inFile("apis/bookings/requests/bookings/weekend.json")(
    "bracket not closed",
    "in a saved request",
    [`"notes": null\n  },`, `"notes": null\n  `],
    { ...json, anywhere: true },
  ),
  book(
    "duplicate key",
    "a field of a block",
    [`"maxIterations": 10,`, `"maxIterations": 10,\n      "maxIterations": 20,`],
    {
      ...json,
      at: `"maxIterations": 20`,
      words: ["maxIterations"],
    },
  ),
  booking.inFile("apis/rooms/environments/local.json")(
    "duplicate key",
    "a variable",
    [`"timeout": 2000`, `"timeout": 2000,\n  "email": "grace@rooms.example"`],
    { ...json, at: "grace@", words: ["email"] },
  ),
  book("duplicate key", "a query parameter", [`"sort": "price" }`, `"sort": "price", "to": "2026-06-01" }`], {
    ...json,
    words: ["to"],
  }),
  book(
    "conflict markers",
    "in a workflow",
    [
      `      "maxIterations": 10,\n`,
      `<<<<<<< HEAD\n      "maxIterations": 10,\n=======\n      "maxIterations": 40,\n>>>>>>> main\n`,
    ],
    { codes: ["file-conflict"], severity: "error", at: "<<<<<<< HEAD" },
  ),
  booking.inFile("apis/rooms/environments/local.json")(
    "conflict markers",
    "in a value file",
    [`  "timeout": 2000\n`, `<<<<<<< HEAD\n  "timeout": 2000\n=======\n  "timeout": 3000\n>>>>>>> other\n`],
    { codes: ["file-conflict"], severity: "error", at: "<<<<<<< HEAD" },
  ),
  booking.inFile("apis/rooms/environments/local.secrets.env")(
    "conflict markers",
    "in a secrets file",
    [`password=window-lamp-12`, `<<<<<<< HEAD\npassword=window\n=======\npassword=lamp\n>>>>>>> other`],
    { codes: ["file-conflict"], severity: "error", at: "<<<<<<< HEAD" },
  ),
  booking.inFile("apis/bookings/openapi.yaml")(
    "conflict markers",
    "in a document",
    [`  title: Bookings\n`, `<<<<<<< HEAD\n  title: Bookings\n=======\n  title: Stays\n>>>>>>> main\n`],
    {
      codes: ["file-conflict", "yaml-syntax"],
      severity: "error",
      at: ["<<<<<<< HEAD", "=======", ">>>>>>> main"],
    },
  ),
  booking.inFile("apis/bookings/openapi.yaml")(
    "YAML",
    "indented by a tab",
    [`  title: Bookings`, `\ttitle: Bookings`],
    { codes: ["yaml-syntax"], severity: "error" },
  ),
  booking.inFile("apis/bookings/openapi.yaml")(
    "YAML",
    "a colon in a plain text",
    [`description: Held until it is paid.`, `description: Held: until it is paid.`],
    { codes: ["yaml-syntax"], severity: "error" },
  ),
  billing.inFile("apis/accounts/openapi.yaml")(
    "YAML",
    "a duplicate key",
    [`  title: Accounts\n`, `  title: Accounts\n  title: Users\n`],
    {
      codes: ["yaml-syntax"],
      severity: "error",
      at: ["title: Accounts", "title: Users"],
    },
  ),
  {
    id: "an empty workflow",
    kind: "empty file",
    project: "booking",
    file: "apis/workflow/refuse.json",
    edit: { write: "" },
    expected: { ...json, anywhere: true },
  },
  {
    id: "an empty schema.json",
    kind: "empty file",
    project: "booking",
    file: "apis/notices/environments/schema.json",
    edit: { write: "" },
    expected: { ...json, anywhere: true },
  },
  {
    id: "an array where a workflow is an object",
    kind: "wrong type",
    project: "booking",
    file: "apis/workflow/refuse.json",
    edit: { write: "[]\n" },
    expected: { codes: ["field-type"], severity: "error", anywhere: true },
  },
]
