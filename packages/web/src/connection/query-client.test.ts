import { QueryObserver } from "@tanstack/react-query"
import { afterEach, expect, it } from "vitest"
import { hearEvent, queryClient } from "./query-client.ts"

afterEach(() => queryClient.clear())

it.each([
  ["a first read that began before the change", 1],
  ["a later read", 2],
])("reads again after a change: %s", async (_, reads) => {
  const answers: (() => void)[] = []
  let value = "before"
  const queryFn = () => {
    const read = value
    return new Promise<string>((resolve) => answers.push(() => resolve(read)))
  }
  const seen: (string | undefined)[] = []
  const observer = new QueryObserver(queryClient, { queryKey: ["files"], queryFn })
  observer.subscribe(({ data }) => seen.push(data))
  for (let read = 1; read < reads; read++) {
    answers.shift()?.()
    await expect.poll(() => seen.at(-1)).toBe("before")
    void observer.refetch()
  }
  value = "after"
  hearEvent({ type: "project.changed", revision: 2 })
  await expect
    .poll(() => {
      answers.shift()?.()
      return seen.at(-1)
    })
    .toBe("after")
})
