import { expect, it } from "vitest"
import { methodWords, requestWords } from "./count-requests.ts"

it("lists certain methods before possible ones, and marks those that may write", () => {
  const methods = [{ method: "HEAD", atLeast: 0 }, { method: "POST", atLeast: 1200 }, { atLeast: 3 }]
  const words = methodWords({ atLeast: 1203, methods })
  expect(words).toEqual([
    { name: "POST", text: "POST 1,200", mayWrite: true },
    {
      name: "methods known only at run time",
      text: "3 whose method is known only at run time",
      mayWrite: true,
    },
    { name: "HEAD", text: "perhaps HEAD", mayWrite: false },
  ])
  expect(methodWords({ atLeast: 0, methods: [{ atLeast: 0 }] })[0]?.text).toBe(
    "perhaps some whose method is known only at run time",
  )
})

it("counts requests with one of several methods", () => {
  const methods = [
    { method: "POST", atLeast: 1 },
    { method: "PUT", atLeast: 0 },
  ]
  const words = methodWords({ atLeast: 3, methods }).map(({ text }) => text)
  expect(words).toEqual(["POST 1", "perhaps PUT", "2 more of these"])
})

it('says "at least" if the number is a minimum', () => {
  const words = [0, 1, 12345].map((atLeast) => requestWords({ atLeast, methods: [] }))
  expect(words).toEqual(["at least 0 requests", "at least 1 request", "at least 12,345 requests"])
})
