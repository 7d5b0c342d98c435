// The generated secrets of `tests/canaries`, in a path, a query, a header and a body that is imported.

import { createSecretSearch } from "@callsheet/engine"
import { checkEnvironmentFiles } from "@callsheet/format"
import { makeImport } from "@callsheet/interop"
import { expect, it } from "vitest"
import { canaries, twinOf, type Canary } from "../canaries/canaries.ts"
import { differenceOf, hitsIn } from "../canaries/judge.ts"

const schema = JSON.stringify({
  version: 1,
  variables: {
    baseUrl: { type: "string", required: true },
    c00: { type: "string", required: false, secret: true },
  },
})

/** Plans the import that the search of the app makes, and returns everything that it shows or that Git keeps. */
async function imported(canary: Canary): Promise<string> {
  const text = String(canary)
  const quoted = text.replaceAll("'", String.raw`'\''`)
  // A short one stays inside a longer text.
  const longer = text.length >= 4 ? `a-${quoted}` : "a"
  const command = `curl 'https://shop.test/orders/${quoted}/${longer}?a=${quoted}' -H 'x-a: ${quoted}' -d '${quoted}'`
  const environments = checkEnvironmentFiles({
    api: "shop",
    files: [
      { file: "apis/shop/environments/schema.json", text: schema },
      { file: "apis/shop/environments/blue.json", text: "{}" },
    ],
  })
  const { files, ...shown } = await makeImport({
    sources: [{ file: "orders.sh", text: command }],
    api: "shop",
    openDocument: () => ({ file: "openapi.json", text: "" }),
    readApi: () => undefined,
    environments: [environments],
    processEnvironment: { CALLSHEET_VAR__SHOP__C00: text },
    createSearch: createSecretSearch,
    readFile: () => ({ ok: false, reason: "upload" }),
  })
  const kept = files.filter(({ is }) => is !== "secrets")
  return JSON.stringify([shown, kept], undefined, 1)
}

const wanted = [...canaries.entries()].filter(([, canary]) => canary !== "x/y")

it.each(wanted)(
  "keeps canary %i out of an import, which is the same with another secret",
  async (_, canary) => {
    const [text, other] = [await imported(canary), await imported(twinOf(canary))]
    expect(hitsIn("import", text, [canary])).toEqual([])
    expect(differenceOf("import", text, other)).toEqual([])
  },
)
