import { describe, expect, it } from "vitest"
import type { OperationView } from "@callsheet/server/calls"
import { findOperations, namesOf } from "./operation-search.ts"

const operation = (index: number): OperationView => ({
  name: `operation${index}`,
  method: index % 2 === 0 ? "GET" : "POST",
  path: `/things/${index}`,
  resources: ["things"],
  summary: index === 777 ? "Cancels an order" : "Does it",
})
const operations = Array.from({ length: 5_000 }, (_, index) => operation(index))
const view = { operations, problems: [] }
const shop = { api: "shop", view, hasFailed: false }

describe("the operation picker", () => {
  it("searches by method, path, name and summary, in any word order", () => {
    expect(findOperations([shop], "order cancel").map(({ text }) => text)).toEqual(["/things/777"])
    expect(findOperations([shop], "post things 4321")[0]).toMatchObject({
      method: "POST",
      text: "/things/4321",
      note: "operation4321 · Does it",
    })
    expect(findOperations([shop], "")).toHaveLength(5_000)
  })

  it("searches several APIs, and names the API of each operation", () => {
    const own = { ...operation(1), path: "/mails", name: "listMails" }
    const mail = { api: "mail", view: { operations: [own], problems: [] }, hasFailed: false }
    expect(findOperations([shop, mail], "mails")).toMatchObject([
      { api: "mail", text: "/mails", note: "listMails · Does it · mail" },
    ])
  })

  it("labels operations that share an operationId by method and path", () => {
    const [one, two] = operations
    if (one === undefined || two === undefined) throw new Error("there are operations")
    expect(namesOf(one, view)).toEqual({ operation: "operation0", resource: "things" })
    const twins = { ...view, operations: [one, { ...two, name: "operation0" }] }
    expect(namesOf(one, twins).operation).toBe("GET /things/0")
  })
})
