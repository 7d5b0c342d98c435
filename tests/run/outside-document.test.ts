// With `validateContracts`, a request that the document doesn't have is a warning in `run` and in `validate`.

import { describe, expect, it } from "vitest"
import { startApi } from "../harness/api-server.ts"
import { callsheet } from "../harness/callsheet.ts"
import { request } from "./shop-project.ts"

const operation = { responses: { default: { description: "" } } }
const document = {
  openapi: "3.0.3",
  info: { title: "Shop", version: "1" },
  paths: {
    "/pets": { get: operation, post: operation },
    "/pets/{petId}": { get: operation, delete: operation },
    "/orders": { get: operation },
  },
}
const send = request("send", { resource: "all", instance: "one" })

interface Outcome {
  readonly validateContracts?: boolean
  readonly blocks?: readonly unknown[]
  readonly documents?: object
}

/** Validates and runs a workflow that sends a saved request. */
async function outcomeOf(
  saved: object,
  { validateContracts = true, blocks = [send], documents }: Outcome = {},
) {
  const api = await startApi({ "*": { body: {} } })
  try {
    const files = {
      ...(documents ?? { "apis/shop/openapi.json": document }),
      "apis/shop/environments/local.json": { baseUrl: api.url },
      "apis/shop/environments/schema.json": {
        version: 1,
        variables: { baseUrl: { type: "string", required: true } },
      },
      "apis/shop/requests/all/one.json": { version: 1, ...saved },
      "apis/workflow/w.json": { version: 1, validateContracts, blocks },
    }
    const { stdout: checked } = await callsheet(["validate", "--json"], { files })
    const { report, exitCode, stderr } = await callsheet(["run", "w", "--json", "--strict"], { files })
    const { exitCode: relaxed } = await callsheet(["run", "w"], { files })
    const problems: readonly Found[] = JSON.parse(checked).problems
    const isIt = ({ code }: { readonly code: string }) => code === "contract-unavailable"
    return {
      validated: problems.filter(isIt).map(({ severity, message, hint, file, line }) => ({
        severity,
        message,
        hint,
        place: `${file}:${line}`,
      })),
      warned: (report?.warnings ?? [])
        .filter(isIt)
        .map(({ message, file, line }) => ({ message, place: `${file}:${line}` })),
      strict: exitCode,
      relaxed,
      stderr,
      contract: report?.runs[0]?.blocks.at(-1)?.contract?.status,
      requests: api.requests.length,
    }
  } finally {
    await api.close()
  }
}

interface Found {
  readonly code: string
  readonly severity: string
  readonly message: string
  readonly hint?: string
  readonly file: string
  readonly line: number
}

describe("a request outside the document", () => {
  it.each([
    ["another method", "PUT", "/pets", "did you mean GET /pets or POST /pets?"],
    ["the only other method", "DELETE", "/orders", "did you mean GET /orders?"],
    [
      "a method in lower case",
      "patch",
      "/pets/{petId}",
      "did you mean GET /pets/{petId} or DELETE /pets/{petId}?",
    ],
    ["a value in place of a parameter", "GET", "/pets/7", "did you mean GET /pets/{petId}?"],
    [
      "a placeholder in place of a parameter",
      "DELETE",
      "/pets/{{env.shop.baseUrl}}",
      "did you mean DELETE /pets/{petId}?",
    ],
    ["another parameter name", "GET", "/pets/{id}", "did you mean GET /pets/{petId}?"],
    ["a slash at the end", "GET", "/pets/", "did you mean GET /pets?"],
    ["another case", "POST", "/Pets", "did you mean POST /pets?"],
    ["the path of a server", "GET", "/v1/orders", "did you mean GET /orders?"],
    ["a typo", "GET", "/order", "did you mean GET /orders?"],
  ])("suggests the operation for %s", async (_, method, path, hint) => {
    const params =
      path === "/pets/{petId}" || path === "/pets/{id}" ? { path: { [path.slice(7, -1)]: "1" } } : {}
    const { validated, warned, strict, relaxed, contract } = await outcomeOf({ method, path, params })
    const message = `the document has no operation ${method.toUpperCase()} ${path}, so its response is not checked`
    const place = "apis/workflow/w.json:8"
    expect(validated).toEqual([{ severity: "warning", message, hint, place }])
    expect(warned).toEqual([{ message: `${message} (${hint})`, place }])
    expect({ strict, relaxed, contract }).toEqual({ strict: 1, relaxed: 0, contract: "unavailable" })
  })

  it("says what to do if nothing is similar", async () => {
    const { validated } = await outcomeOf({ method: "GET", path: "/health/live/now" })
    expect(validated).toMatchObject([
      { hint: "document the operation, or move the block to a workflow without validateContracts" },
    ])
  })

  it("is known before the first request", async () => {
    const unreached = [
      { id: "stop", type: "assert", assertions: [{ source: "inputs.none", operator: "exists" }] },
      send,
    ]
    const { warned, requests } = await outcomeOf({ method: "PUT", path: "/pets" }, { blocks: unreached })
    expect([warned.length, requests]).toEqual([1, 0])
  })

  it("is one warning in a loop, also if a placeholder selects the request", async () => {
    const named = request("send-{{i}}", { resource: "all", instance: "{{name}}" })
    const loop = { id: "loop", type: "loop", mode: "times", count: 3, iteratorVar: "i", blocks: [named] }
    const inputs = { name: { type: "string", default: "one" } }
    const api = await startApi({ "*": { body: {} } })
    try {
      const { report, exitCode } = await callsheet(["run", "w", "--json", "--strict"], {
        files: {
          "apis/shop/openapi.json": document,
          "apis/shop/environments/local.json": { baseUrl: api.url },
          "apis/shop/environments/schema.json": {
            version: 1,
            variables: { baseUrl: { type: "string", required: true } },
          },
          "apis/shop/requests/all/one.json": { version: 1, method: "PUT", path: "/pets" },
          "apis/workflow/w.json": {
            version: 1,
            validateContracts: true,
            inputs,
            blocks: [loop],
          },
        },
      })
      expect(report?.warnings?.filter(({ code }) => code === "contract-unavailable")).toHaveLength(1)
      expect(exitCode).toBe(1)
    } finally {
      await api.close()
    }
  })
})

describe("no warning", () => {
  it("is about a request of the document", async () => {
    expect(await outcomeOf({ method: "get", path: "/pets" })).toMatchObject({
      validated: [],
      warned: [],
      strict: 0,
    })
  })

  it("is about a workflow that doesn't validate contracts", async () => {
    const saved = { method: "PUT", path: "/pets" }
    expect(await outcomeOf(saved, { validateContracts: false })).toMatchObject({
      validated: [],
      warned: [],
      strict: 0,
    })
  })

  it("is about an API without a document, but the block is counted as unchecked", async () => {
    const outcome = await outcomeOf({ method: "GET", path: "/pets" }, { documents: {} })
    expect(outcome).toMatchObject({ validated: [], warned: [], strict: 0, contract: "unavailable" })
  })
})
