// A project on disk with an API. Its blocks and saved requests are edited in forms.

import type { Page } from "playwright-core"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { showPlace, startEditProject, type EditProject } from "./edit-project.ts"

export interface FormProject extends EditProject {
  readonly api: ApiServer
}

export const workflowPath = "apis/workflow/forms.json"
export const requestPath = "apis/shop/requests/books/mine.json"

const hostile = "<img src=x onerror=\"document.title='owned'\">\u202eevil"

/** Formatted by hand. A form keeps the formatting of everything that it doesn't change. */
export const workflowText = `{ "version": 1,
  "inputs": { "customer": { "type": "string", "default": "Ada" } },
  "blocks": [
    { "id": "book",   "type": "request", "request": { "api": "shop", "operation": "createOrder" } },
    { "id": "check",  "type": "assert", "assertions": [] },
    { "id": "names",  "type": "transform", "transforms": {} },
    { "id": "if-new", "type": "condition", "if": { "source": "book.response.status", "operator": "exists" }, "then": [] },
    { "id": "rounds", "type": "loop", "mode": "times", "count": 2, "blocks": [] },
    { "id": "all",    "type": "group", "blocks": [] },
    { "id": "pause",  "type": "script", "script": { "name": "wait", "exportName": "pause" } }
  ]
}
`

const requestText = `{
  "version": 1,
  "operation": "createOrder",
  "body": { "book": 1,  "copies": 9007199254740993 }
}
`

const book = {
  type: "object",
  required: ["id", "title"],
  properties: {
    id: { type: "integer" },
    title: { type: "string" },
    author: { type: "object", properties: { name: { type: "string" } } },
    tags: { type: "array", items: { type: "string" } },
  },
}
const json = (schema: unknown) => ({ content: { "application/json": { schema } } })
const order = {
  type: "object",
  required: ["book"],
  properties: {
    book: { type: "integer", description: hostile },
    copies: { type: "integer" },
    gift: { type: "boolean" },
  },
}

const document = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  paths: {
    "/books/{bookId}": {
      get: {
        operationId: "getBook",
        tags: ["books"],
        summary: "One book",
        parameters: [
          { name: "bookId", in: "path", required: true, schema: { type: "integer" } },
          { name: "lang", in: "query", schema: { enum: ["en", "de"] } },
        ],
        responses: { "200": { description: "ok", ...json(book) } },
      },
    },
    "/orders": {
      post: {
        operationId: "createOrder",
        tags: ["orders"],
        summary: hostile,
        requestBody: { required: true, ...json(order) },
        responses: { "201": { description: "made" } },
      },
    },
  },
}

/** More operations than a user would scroll through. */
const largeDocument = {
  openapi: "3.1.0",
  info: { title: "Large", version: "1" },
  paths: Object.fromEntries(
    Array.from({ length: 1_200 }, (_, index) => [
      `/things${index}/{id}`,
      { get: { operationId: `readThing${index}`, summary: `Reads thing ${index}`, responses: {} } },
    ]),
  ),
}

/** The app runs until `close`. */
export async function startFormProject(): Promise<FormProject> {
  const api = await startApi({
    "GET /books/7": {
      headers: { "x-token": "s3cr3t-of-shop" },
      body: { id: 7, title: "Faust", key: "s3cr3t-of-shop", tags: ["drama", "verse"], odd: hostile },
    },
    "POST /orders": ({ json: body }) => ({ status: 201, body }),
  })
  const project = await startEditProject({
    "apis/shop/openapi.json": document,
    "apis/large/openapi.json": largeDocument,
    "apis/shop/environments/schema.json": {
      version: 1,
      variables: {
        baseUrl: { type: "string", required: true },
        apiKey: { type: "string", required: false, secret: true },
      },
    },
    "apis/shop/environments/local.json": { level: "local", baseUrl: api.url },
    "apis/shop/environments/local.secrets.env": "apiKey=s3cr3t-of-shop\n",
    [requestPath]: requestText,
    [workflowPath]: workflowText,
    "apis/workflow/run.json": {
      version: 1,
      blocks: [
        {
          id: "book",
          type: "request",
          request: {
            api: "shop",
            resource: "books",
            operation: "getBook",
            overrides: { params: { path: { bookId: "7" }, header: { "x-key": "{{apiKey}}" } } },
          },
        },
        { id: "look", type: "assert", assertions: [{ source: "book.response", operator: "exists" }] },
      ],
    },
    "apis/workflow/scripts/forms/wait.ts":
      "export const pause = (ctx: unknown) => void ctx\nexport const other = () => 1\n",
  })
  return {
    ...project,
    api,
    reset: async () => {
      api.forget()
      return project.reset()
    },
    close: async () => {
      await project.close()
      await api.close()
    },
  }
}

/** Selects a block in the editor of a workflow. */
export async function selectBlock(page: Page, workflow: string, id: string): Promise<void> {
  await showPlace(page, `#/workflows/${workflow}`)
  await page.getByRole("heading", { level: 1, name: workflow }).waitFor()
  await page.getByRole("tab", { name: "Editor" }).click()
  await page.getByRole("main").getByRole("treeitem").filter({ hasText: id }).first().click()
  await page.getByLabel("Id", { exact: true }).waitFor()
}

/** Types into a field and waits for its list, because the next key may be Enter. */
export async function typeAndPick(page: Page, text: string): Promise<void> {
  await page.keyboard.type(text)
  await page.getByRole("listbox", { name: "Suggestions" }).waitFor()
  await page.keyboard.press("Enter")
}

/** Shows a tab of a request's form, such as `Query`. */
export const showPart = (page: Page, name: string): Promise<void> =>
  page.getByRole("tablist", { name: "Parts of the request" }).getByRole("tab", { name }).click()

/** Opens the fields that choose the target of a request. */
export async function openTarget(page: Page): Promise<void> {
  const fold = page.locator(".target-fold")
  await fold.waitFor()
  if ((await fold.getAttribute("open")) === null) await fold.locator("> summary").click()
}

/** Adds a parameter under its tab. The focus is then in its value. */
export async function addParam(page: Page, tab: string, name: string): Promise<void> {
  await showPart(page, tab)
  await page.getByRole("combobox", { name: /^Add (?:query parameter|header|cookie)$/ }).fill(name)
  await page.keyboard.press("Enter")
}

export async function save(page: Page): Promise<void> {
  await page.keyboard.press("Control+s")
  await page.locator(".save-bar-state").getByText("Saved", { exact: true }).waitFor()
}
