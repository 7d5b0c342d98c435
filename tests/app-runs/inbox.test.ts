// Runs from the page with an inbox: they need no environment for it, and show what arrived.

import { expect, it } from "vitest"
import { inboxFiles } from "../../packages/mock/src/inbox/inbox-files.ts"
import { assert, counts, equals, read, shopDocument, subscribe, workflow } from "../inbox/inbox-project.ts"
import { openRuns } from "./open-runs.ts"

it("starts the inbox for a run from the page", async () => {
  const {
    handlers,
    start,
    done,
    read: readRun,
  } = await openRuns({
    routes: {
      "POST /subscriptions": async ({ json }) => {
        await fetch((json as { url: string }).url, { method: "POST", body: "hello" })
        return { status: 201 }
      },
    },
    files: (url) => ({
      "apis/shop/openapi.json": shopDocument,
      "apis/shop/environments/schema.json": {
        version: 1,
        variables: { baseUrl: { type: "string", required: true } },
      },
      "apis/shop/environments/local.json": { baseUrl: url },
      ...Object.fromEntries([...inboxFiles].map(([file, text]) => [`apis/inbox/${file}`, text])),
      "apis/workflow/w.json": workflow(
        subscribe("/a"),
        read("all"),
        assert(...counts("all", 1), equals("all.response.body.messages.0.body", "hello")),
      ),
    }),
  })
  const form = await handlers["runs.prepare"]({ workflow: "w" })
  expect(form.apis.map(({ api }) => api)).toEqual(["shop"])
  expect(form.hasInbox).toBe(true)
  const run = await start()
  await done(run)
  const { report } = await readRun(run)
  expect(report.status).toBe("passed")
  expect(report.runs[0]?.environments["inbox"]?.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\*\*\*$/)
  expect(report.runs[0]?.arrived).toMatchObject({ messages: 1, latest: [{ path: "/a", body: "hello" }] })
})
