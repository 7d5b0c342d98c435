// Checks that notations of other tools, which would be sent as they are written, are named with the right form.

import { describe, expect, it } from "vitest"
import { parseSecretsFile } from "../environment/parse-secrets-file.ts"
import { checkSavedRequest } from "../request/check-saved-request.ts"
import { checkWorkflow } from "./check-workflow.ts"

const overrideProblems = (overrides: object) =>
  checkWorkflow({
    file: "apis/workflow/w.json",
    text: JSON.stringify({
      version: 1,
      blocks: [{ id: "a", type: "request", request: { api: "shop", operation: "add", overrides } }],
    }),
  }).problems.map(({ severity, hint }) => ({ severity, hint }))

describe("a dollar sign before the placeholder of a variable", () => {
  it.each([
    ["${{env.shop.key}}", "env.shop.key"],
    ["${{ env.shop.key }}", "env.shop.key"],
    ["${{env.shop.key }}", "env.shop.key"],
    ["${{  env.pay.base-url}}", "env.pay.base-url"],
    ['${{env["shop"].key}}', 'env["shop"].key'],
  ])("%s is a warning", (text, path) => {
    const found = [{ severity: "warning", hint: `write ${JSON.stringify(`{{${path}}}`)}` }]
    expect(overrideProblems({ params: { header: { "X-Key": text } } })).toEqual(found)
    expect(overrideProblems({ body: { key: text } })).toEqual(found)
  })

  it.each(["${{price}}", "costs ${{env.shop.price}}", "${{env.shop.price}} each", "$ {{env.shop.key}}"])(
    "%s may be a price",
    (text) => {
      expect(overrideProblems({ params: { header: { "X-Key": text } } })).toEqual([])
    },
  )
})

describe("the key of a body override", () => {
  it.each([
    ["/sku", "sku"],
    ["/lines/0/sku", "lines.0.sku"],
    ["/customer-id", "customer-id"],
    ["/_meta/a", "_meta.a"],
    ["$.sku", "sku"],
    ["$.lines[0].sku", "lines[0].sku"],
  ])("%s is a warning with the path %s", (key, path) => {
    expect(overrideProblems({ body: { [key]: 1 } })).toEqual([
      { severity: "warning", hint: `write "${path}"` },
    ])
  })

  it.each(["a/b", "$ref", "/", '["/sku"]', "$", "//"])("%s may be a name", (key) => {
    expect(overrideProblems({ body: { [key]: 1 } })).toEqual([])
  })
})

describe("a colon in a saved path", () => {
  const problemsOf = (path: string, params?: object) =>
    checkSavedRequest({
      file: "apis/shop/requests/orders/one.json",
      text: JSON.stringify({ version: 1, method: "GET", path, params }),
    }).problems.map(({ severity, message, hint }) => [severity, message, hint])
  const problem = (severity: string, name: string) => [
    severity,
    `":${name}" is not a path parameter, so it is sent as it is written`,
    `write {${name}}, and set it in "params": { "path": { … } }`,
  ]

  it.each([
    ["/orders/:id", [problem("warning", "id")]],
    ["/:tenant/orders", [problem("warning", "tenant")]],
    ["/orders/:orderId/lines/:line_id", [problem("warning", "orderId"), problem("warning", "line_id")]],
    ["/orders/{id}/:part", [problem("warning", "part")]],
    ["/orders/:id/", [problem("warning", "id")]],
  ])("%s is a warning", (path, found) => {
    expect(problemsOf(path)).toEqual(found)
  })

  it("is an error if the request sets this parameter", () => {
    expect(problemsOf("/orders/:id", { path: { id: "1" } })).toEqual([problem("error", "id")])
  })

  it.each(["/things:batchGet", "/things/12:30", "/a/:", "/urn:a:b", "/a/:1"])("%s is an address", (path) => {
    expect(problemsOf(path)).toEqual([])
  })
})

describe("a process variable in a secrets file", () => {
  const messagesOf = (line: string) => parseSecretsFile(`${line}\n`).findings.map(({ message }) => message)

  it.each(["key=$API_KEY", "key=${API_KEY}", "export key=$TOKEN", "key = $A1", "key: ${_X}"])(
    "%s is a warning without the value",
    (line) => {
      expect(messagesOf(line)).toEqual([
        'callsheet does not replace "$…" by a process variable, so this is the value itself',
      ])
    },
  )

  it.each(["key='$API_KEY'", 'key="$API_KEY"', "key=$hop", "key=pa$WORD", "key=$API_KEY-1", "key=$"])(
    "%s is a value",
    (line) => {
      expect(messagesOf(line)).toEqual([])
    },
  )
})
