// The sentences in generated files and the reasons for skipped operations. Most start as sentences of a file do.

import { expect, it } from "vitest"
import { generateTexts } from "@callsheet/language"
import type { Operation } from "@callsheet/openapi"
import { bannedInMessages } from "../harness/banned-words.ts"

const operation = { method: "POST", path: "/orders/{orderId}/lines" } as Operation
const place = ["orderId", "create.response.body.id"] as const

const samples: { readonly [Name in keyof typeof generateTexts]: readonly string[] } = {
  isFrom: (["link", "path", "name", "format"] as const).map((why) =>
    generateTexts.isFrom(...place, why, "order_lines"),
  ),
  isLinked: [generateTexts.isLinked(...place, "GetOrder")],
  isPart: [generateTexts.isPart("amount", "create-order.response.body.total", "Money", "orders")],
  isVariable: [generateTexts.isVariable(["user"]), generateTexts.isVariable(["user", "password"])],
  conflicts: [generateTexts.conflicts("409")],
  onlyIfCreated: [generateTexts.onlyIfCreated()],
  undecidedValue: [generateTexts.undecidedValue("sku", operation)],
  undecidedBody: [generateTexts.undecidedBody("text/csv", operation)],
  listContains: [generateTexts.listContains()],
  cleanup: [generateTexts.cleanup("orderId", operation)],
  deletes: [generateTexts.deletes()],
  suite: [generateTexts.suite()],
  needsInputs: [generateTexts.needsInputs("orders-lifecycle", ["sku", "owner"])],
  noSuccess: [generateTexts.noSuccess()],
  noBody: [generateTexts.noBody("no value was found for its rules")],
  baseUrl: [generateTexts.baseUrl()],
  credential: [generateTexts.credential("api_key")],
}

it("the texts of generated files are the reviewed ones", async () => {
  const texts = Object.values(samples).flat()
  expect(texts.filter((text) => bannedInMessages.test(text))).toEqual([])
  await expect(`${texts.join("\n")}\n`).toMatchFileSnapshot("./generate.txt")
})
