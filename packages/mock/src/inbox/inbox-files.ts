// The files of `apis/inbox/`, which `callsheet init --inbox` writes: the document of the inbox's own routes, and the
// schema that marks the API.

import { stringifyJson, type JsonObject } from "@callsheet/format"

const text = (description: string): JsonObject => ({ type: "string", description })

const message: JsonObject = {
  type: "object",
  description: "A request that the inbox has received.",
  required: ["id", "method", "path", "query", "headers", "receivedAt"],
  properties: {
    id: text("Later messages have higher ids."),
    method: text("The HTTP method."),
    path: text("The path below the inbox's base URL, as sent."),
    query: { type: "object", description: "The query by name. A repeated name has an array." },
    headers: { type: "object", description: "The headers under lowercase names." },
    body: { description: "JSON as a value, text as a string, everything else as base64." },
    receivedAt: { type: "string", format: "date-time" },
    contract: {
      type: "object",
      description: "The verdict by a callback or webhook of the documents of the workflow's APIs.",
      required: ["status", "problems"],
      properties: {
        status: { type: "string", enum: ["passed", "failed", "unchecked"] },
        problems: {
          type: "array",
          items: {
            type: "object",
            required: ["path", "message"],
            properties: { path: { type: "string" }, message: { type: "string" } },
          },
        },
      },
    },
  },
}

const rule: JsonObject = {
  type: "object",
  required: ["path"],
  additionalProperties: false,
  properties: {
    path: { ...text("The exact path below the inbox's base URL."), pattern: "^/" },
    status: { type: "integer", minimum: 200, maximum: 599, description: "The status. The default is 204." },
    body: { description: "Text is sent as it is, and everything else as JSON." },
    delayMs: { type: "integer", minimum: 0, maximum: 600_000, description: "How long to wait." },
    failFirst: { type: "integer", minimum: 0, description: "How many messages to answer with 503 first." },
  },
}

const problem: JsonObject = {
  description: "The request is not valid.",
  content: { "application/problem+json": { schema: { type: "object" } } },
}
const done: JsonObject = { description: "Done." }
const parameter = (name: string, description: string): JsonObject => ({
  name,
  in: "query",
  description,
  schema: { type: "string" },
})

const document: JsonObject = {
  openapi: "3.1.0",
  info: {
    title: "Inbox",
    version: "1",
    description:
      "Receives callbacks and webhooks during a run of callsheet. Any other method and path is a message.",
  },
  paths: {
    "/_messages": {
      get: {
        operationId: "listMessages",
        summary: "List the messages of this run, oldest first.",
        tags: ["messages"],
        parameters: [
          parameter("path", "Only messages of exactly this path."),
          parameter("after", "Only messages after the one with this id."),
        ],
        responses: {
          200: {
            description: "The messages.",
            content: {
              "application/json": {
                schema: {
                  type: "object",
                  required: ["messages"],
                  properties: {
                    messages: { type: "array", items: { $ref: "#/components/schemas/Message" } },
                  },
                },
              },
            },
          },
          400: problem,
        },
      },
      delete: {
        operationId: "deleteMessages",
        summary: "Delete the messages of this run.",
        tags: ["messages"],
        responses: { 204: done },
      },
    },
    "/_responses": {
      put: {
        operationId: "setResponse",
        summary: "Set how the inbox answers messages of a path.",
        tags: ["responses"],
        requestBody: {
          required: true,
          content: { "application/json": { schema: { $ref: "#/components/schemas/Response" } } },
        },
        responses: { 204: done, 400: problem },
      },
      delete: {
        operationId: "resetResponses",
        summary: "Answer every message with 204 again.",
        tags: ["responses"],
        responses: { 204: done },
      },
    },
  },
  components: { schemas: { Message: message, Response: rule } },
}

const schema: JsonObject = {
  version: 1,
  variables: {
    baseUrl: {
      type: "string",
      required: false,
      description: "Set by each run: where the inbox receives messages.",
    },
  },
}

const file = (content: JsonObject): string => `${stringifyJson(content, { indent: 2 })}\n`

/** The files by path below `apis/inbox/`. */
export const inboxFiles: ReadonlyMap<string, string> = new Map([
  ["openapi.json", file(document)],
  ["environments/schema.json", file(schema)],
])
