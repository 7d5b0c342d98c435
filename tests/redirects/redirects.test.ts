// A small part of the table; `npm run test:redirects` prints all of it.

import { expect, it } from "vitest"
import { runBlocks, request } from "../run/shop-project.ts"
import { judge } from "./judge.ts"

it("carries no secret to another origin, and every secret within its own", async () => {
  const { cells, ...found } = await judge({
    statuses: [302, 307],
    routes: ["direct", "back", "named"],
    methods: ["POST"],
  })
  expect(cells).toHaveLength(24)
  expect(found).toEqual({ leaks: [], lost: [], silent: [], requests: expect.any(Number) as number })
}, 60_000)

it.each([
  ["its path", "/a/s3cr3t-t0k3n/b"],
  ["its query", "/a?other=s3cr3t-t0k3n"],
  ["its query, encoded", "/a?other=%73%33cr3t-t0k3n"],
  ["user and password", "http://us:s3cr3t-t0k3n@HOST/a"],
  ["its fragment", "/a#s3cr3t-t0k3n"],
  ["a scheme", "s3cr3t-t0k3n:b"],
  ["an invalid host", "http://s3cr3t-t0k3n:x/"],
  ["an unknown host", "http://s3cr3t-t0k3n.invalid/"],
])("shows no part of a secret that a server repeats in %s", async (_, location) => {
  const header = { authorization: "Bearer {{token}}" }
  const { stdout, stderr, block } = await runBlocks(
    [request("go", { operation: "echo", overrides: { params: { header } } })],
    {
      routes: {
        "GET /echo": ({ headers: { host = "" } }) => ({
          status: 302,
          headers: { location: location.replace("HOST", host) },
        }),
      },
      words: ["--verify-no-leak", "--debug"],
    },
  )
  const { error, response } = block("go")
  expect(error?.message ?? response?.redirects?.[0]?.url).toMatch(
    /\*\*\*|\/a$|location is not a valid URL|redirect leads to the scheme/,
  )
  expect(stdout + stderr).not.toContain("s3cr3t-t0k3n")
})
