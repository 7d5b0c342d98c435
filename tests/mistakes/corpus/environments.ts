// Variables, environments, secrets and the files of a project.

import type { Mistake, ProjectName } from "../mistake.ts"
import { booking, billing } from "./places.ts"

const local = booking.inFile("apis/rooms/environments/local.json")
const staging = booking.inFile("apis/rooms/environments/staging.json")
const schema = booking.inFile("apis/rooms/environments/schema.json")
const bookingsSchema = booking.inFile("apis/bookings/environments/schema.json")
const secrets = booking.inFile("apis/rooms/environments/local.secrets.env")

const coded = (code: string, ...words: string[]) => ({ codes: [code], severity: "error", words }) as const

/** An environment that others extend may be incomplete. Its missing values are reported for the others. */
const missingInChild = {
  codes: ["variable-missing"],
  words: ["email"],
  file: "apis/rooms/environments/staging.json",
  anywhere: true,
} as const

const added = (
  kind: string,
  id: string,
  [project, file, text]: readonly [ProjectName, string, string],
  expected: Mistake["expected"],
): Mistake => ({ id, kind, project, file, edit: { write: text }, expected })

const renamed = (
  kind: string,
  id: string,
  [project, file, to]: readonly [ProjectName, string, string],
  expected: Mistake["expected"],
): Mistake => ({ id, kind, project, file, edit: { rename: to }, expected })

const values: readonly Mistake[] = [
  local(
    "secret in a value file",
    "in plain text",
    [`"timeout": 2000`, `"timeout": 2000,\n  "password": "hunter2"`],
    { ...coded("secret-committed", "password"), at: `"password"` },
  ),
  billing.inFile("apis/accounts/environments/staging.json")(
    "secret in a value file",
    "of a child",
    [`"level": "staging",`, `"level": "staging",\n  "clientSecret": "s3cr3t",`],
    { ...coded("secret-committed", "clientSecret"), at: `"clientSecret"` },
  ),
  local(
    "undeclared variable",
    "misspelled",
    [`"timeout": 2000`, `"timeuot": 2000`],
    coded("variable-undeclared", "timeout"),
  ),
  local("undeclared variable", "new", [`"timeout": 2000`, `"timeout": 2000,\n  "retries": 3`], {
    ...coded("variable-undeclared", "retries"),
    at: `"retries"`,
  }),
  staging(
    "undeclared variable",
    "extend for extends",
    [`"extends": "local"`, `"extend": "local"`],
    coded("variable-undeclared", "extends"),
  ),
  secrets(
    "undeclared variable",
    "in a secrets file",
    [`password=`, `pasword=`],
    coded("variable-undeclared", "password"),
  ),
  local(
    "variable of another type",
    "a number in quotes",
    [`"timeout": 2000`, `"timeout": "2000"`],
    coded("variable-type", "timeout"),
  ),
  local(
    "variable of another type",
    "a list",
    [`"email": "ada@rooms.example"`, `"email": ["ada@rooms.example"]`],
    coded("variable-type", "email"),
  ),
  booking.inFile("apis/bookings/environments/local.json")(
    "variable of another type",
    "a boolean in quotes",
    [`"strict": true`, `"strict": "yes"`],
    coded("variable-type", "strict"),
  ),
  added(
    "variable of another type",
    "a text in a secrets file",
    ["booking", "apis/bookings/environments/local.secrets.env", "maxNights=many\n"],
    { ...coded("variable-type", "maxNights"), anywhere: true },
  ),
  bookingsSchema("default of another type", "a number in quotes", [`"default": 14`, `"default": "14"`], {
    severity: "error",
    codes: ["variable-type", "field-type"],
  }),
  bookingsSchema("default of another type", "a number for a boolean", [`"default": false`, `"default": 0`], {
    severity: "error",
    codes: ["variable-type", "field-type"],
  }),
  billing.inWorkflow("subscribe")(
    "default of another type",
    "an input's",
    [`"keep": { "type": "boolean", "default": false }`, `"keep": { "type": "boolean", "default": "false" }`],
    {},
  ),
  booking.inWorkflow("book")(
    "default of another type",
    "an input's number",
    [`"guests": { "type": "number", "default": 2,`, `"guests": { "type": "number", "default": "two",`],
    {},
  ),
  schema(
    "secret with a default",
    "in schema.json",
    [`"secret": true }`, `"secret": true, "default": "change-me" }`],
    { codes: ["secret-default"], severity: "warning", words: ["password"] },
  ),
  schema("reserved name", "level", [`"currency": {`, `"level": {`], coded("variable-reserved", "level")),
  schema(
    "reserved name",
    "extends",
    [`"currency": {`, `"extends": {`],
    coded("variable-reserved", "extends"),
  ),
  schema(
    "variable's name",
    "with a space",
    [`"currency": {`, `"price currency": {`],
    coded("variable-name", "price currency"),
  ),
  schema(
    "variable's name",
    "with a dot",
    [`"currency": {`, `"price.currency": {`],
    coded("variable-name", "price.currency"),
  ),
  schema(
    "variable's name",
    "starts with a digit",
    [`"currency": {`, `"1st": {`],
    coded("variable-name", "1st"),
  ),
  staging(
    "parent missing",
    "misspelled",
    [`"extends": "local"`, `"extends": "locl"`],
    coded("extends-missing", "local"),
  ),
  staging(
    "parent missing",
    "with its extension",
    [`"extends": "local"`, `"extends": "local.json"`],
    coded("extends-missing", "local"),
  ),
  {
    id: "removed",
    kind: "parent missing",
    project: "billing",
    file: "apis/accounts/environments/base.json",
    edit: { remove: true },
    expected: {
      ...coded("extends-missing", "base"),
      file: "apis/accounts/environments/staging.json",
      at: `"extends": "base"`,
    },
  },
  renamed(
    "parent missing",
    "renamed",
    ["billing", "apis/billing/environments/base.json", "apis/billing/environments/common.json"],
    {
      ...coded("extends-missing", "base"),
      file: "apis/billing/environments/production.json",
      at: `"extends": "base"`,
    },
  ),
  local("extends cycle", "of two", [`"level": "local",`, `"extends": "staging",\n  "level": "local",`], {
    ...coded("extends-cycle"),
    at: `"extends": "staging"`,
  }),
  staging("extends cycle", "of one", [`"extends": "local"`, `"extends": "staging"`], coded("extends-cycle")),
  billing.inFile("apis/accounts/environments/base.json")(
    "extends cycle",
    "of three",
    [`"clientId": "callsheet",`, `"extends": "staging-eu",\n  "clientId": "callsheet",`],
    { ...coded("extends-cycle"), at: `"extends"` },
  ),
  local(
    "required variable without a value",
    "in a parent and its child",
    [`  "email": "ada@rooms.example",\n`, ``],
    missingInChild,
  ),
  billing.inFile("apis/accounts/environments/base.json")(
    "required variable without a value",
    "in all",
    [`  "clientId": "callsheet",\n`, ``],
    {
      codes: ["variable-missing"],
      words: ["clientId"],
      file: "apis/accounts/environments/production.json",
      anywhere: true,
    },
  ),
  local(
    "required variable without a value",
    "null",
    [`"email": "ada@rooms.example"`, `"email": null`],
    missingInChild,
  ),
  local(
    "required variable without a value",
    "empty",
    [`"email": "ada@rooms.example"`, `"email": ""`],
    missingInChild,
  ),
  secrets(
    "dotenv",
    "a line that is not an assignment",
    [`password=window-lamp-12`, `password=window-lamp-12\nTODO ask Ada`],
    { codes: ["dotenv-syntax"], at: "TODO" },
  ),
  secrets("dotenv", "a quote that is not closed", [`password=window-lamp-12`, `password="window-lamp-12`], {
    words: [],
  }),
  secrets("dotenv", "JSON in it", [`password=window-lamp-12`, `{ "password": "window-lamp-12" }`], {
    codes: ["dotenv-syntax"],
  }),
  added(
    "secrets file without an environment",
    "qa",
    ["booking", "apis/rooms/environments/qa.secrets.env", "password=x1y2\n"],
    { severity: "warning", words: ["qa"], anywhere: true },
  ),
  renamed(
    "secrets file without an environment",
    "the environment renamed by hand",
    ["booking", "apis/rooms/environments/staging.json", "apis/rooms/environments/stage.json"],
    { severity: "warning", file: "apis/rooms/environments/staging.secrets.env", anywhere: true },
  ),
]

const files: readonly Mistake[] = [
  added(
    "names that differ only in case",
    "environments",
    ["booking", "apis/rooms/environments/Local.json", "{}\n"],
    { severity: "error", anywhere: true, words: ["case"], file: "apis/rooms/environments/local.json" },
  ),
  added(
    "names that differ only in case",
    "workflows",
    ["booking", "apis/workflow/Book.json", `{ "version": 1, "blocks": [] }\n`],
    { severity: "error", anywhere: true, words: ["case"], file: "apis/workflow/book.json" },
  ),
  added(
    "names that are not allowed",
    "an environment with a space",
    ["booking", "apis/rooms/environments/my env.json", "{}\n"],
    { ...coded("env-name"), anywhere: true },
  ),
  added(
    "names that are not allowed",
    "a Windows device name",
    ["booking", "apis/rooms/environments/con.json", "{}\n"],
    { severity: "error", anywhere: true },
  ),
  added(
    "names that are not allowed",
    "a workflow with a space",
    ["booking", "apis/workflow/sign in.json", `{ "version": 1, "blocks": [] }\n`],
    { ...coded("workflow-name"), anywhere: true },
  ),
  renamed("names that are not allowed", "an API in uppercase", ["booking", "apis/notices", "apis/Notices"], {
    ...coded("api-name"),
    file: "apis/Notices",
    anywhere: true,
  }),
  added(
    "two documents",
    "JSON and YAML",
    ["booking", "apis/rooms/openapi.yaml", "openapi: 3.1.0\ninfo: { title: x, version: '1' }\npaths: {}\n"],
    { ...coded("document-ambiguous"), file: "apis/rooms/openapi.yaml", anywhere: true },
  ),
  booking.inFile("apis/rooms/openapi.json")(
    "document",
    "a version that does not exist",
    [`"openapi": "3.1.0"`, `"openapi": "4.0.0"`],
    coded("document-invalid"),
  ),
  booking.inFile("apis/rooms/openapi.json")("document", "no version", [`  "openapi": "3.1.0",\n`, ``], {
    ...coded("document-invalid"),
    anywhere: true,
  }),
  added("document", "of another kind of file", ["booking", "apis/notices/openapi.json", `[1, 2]\n`], {
    ...coded("document-invalid"),
    anywhere: true,
  }),
  added(
    "document",
    "paths as a list",
    [
      "booking",
      "apis/notices/openapi.json",
      `{ "openapi": "3.1.0", "info": { "title": "x", "version": "1" }, "paths": [] }\n`,
    ],
    { ...coded("document-invalid"), anywhere: true },
  ),
  renamed(
    "scripts of no workflow",
    "the workflow renamed by hand",
    ["billing", "apis/workflow/dunning.json", "apis/workflow/reminders.json"],
    {
      severity: "error",
      codes: ["script-missing"],
      file: "apis/workflow/reminders.json",
      at: `"exportName": "isSettled"`,
    },
  ),
  added(
    "scripts of no workflow",
    "a leftover directory",
    ["billing", "apis/workflow/scripts/dunnning/check.ts", "export const check = () => true\n"],
    { severity: "warning", file: "apis/workflow/scripts/dunnning", words: ["dunning"], anywhere: true },
  ),
  renamed(
    "file in the wrong place",
    "a saved request without a resource",
    ["booking", "apis/rooms/requests/sessions/guest.json", "apis/rooms/requests/guest.json"],
    {
      codes: ["instance-unknown"],
      severity: "error",
      file: "apis/workflow/book.json",
      at: `"instance": "guest"`,
    },
  ),
  added(
    "file in the wrong place",
    "a saved request that no block can name",
    ["booking", "apis/rooms/requests/host.json", `{ "version": 1, "operation": "signIn" }\n`],
    { severity: "warning", anywhere: true },
  ),
  added(
    "file in the wrong place",
    "an environment as YAML",
    ["booking", "apis/rooms/environments/qa.yaml", "baseUrl: http://127.0.0.1\n"],
    { severity: "warning", anywhere: true },
  ),
]

export const environmentMistakes: readonly Mistake[] = [...values, ...files]
