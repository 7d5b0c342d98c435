import { expect, it } from "vitest"
import { onlySimilar } from "./did-you-mean.ts"

it.each<readonly [string, readonly string[], string | undefined]>([
  ["listOrder", ["listOrders", "getOrder", "addOrder"], "listOrders"],
  ["item3", ["item1", "item2"], undefined],
  ["order", ["orders", "border"], undefined],
  ["ORDERID", ["orderId", "orderIds"], "orderId"],
  ["Orderid", ["orderId", "orderID"], undefined],
  ["other", ["sku"], undefined],
])("the only name similar to %s in %j is %s", (word, known, expected) => {
  expect(onlySimilar(word, known)).toBe(expected)
})
