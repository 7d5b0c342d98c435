// The README of a project that an import starts.

import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { readText } from "../harness/callsheet.ts"
import { folderWith, importInto } from "./import-into.ts"

const SECRET = "sk-live-0123456789abcdef"

const shop = {
  info: {
    name: "Shop | <b>`x`",
    schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
  },
  auth: { type: "bearer", bearer: [{ key: "token", value: "{{token}}" }] },
  variable: [{ key: "token", value: SECRET, type: "secret" }],
  item: [
    {
      name: "Orders",
      item: [
        {
          name: `List ${SECRET}`,
          request: { method: "GET", url: "https://a.example/orders/{{missing}}" },
          event: [{ listen: "test", script: { exec: ["weird(pm)"] } }],
          protocolProfileBehavior: { strictSSL: false },
        },
      ],
    },
  ],
}

describe("the README of an imported project", () => {
  it("says where everything is from and how to continue, without secrets, paths of the machine and markup", async () => {
    const folder = await folderWith({ "shop.json": shop })
    const { result } = await importInto(folder, [
      join(folder, "shop.json"),
      "--into",
      "project",
      "--api",
      "shop",
    ])
    expect(result?.files).toContain("README.md")
    const readme = (await readText(folder, "project/README.md")) ?? ""
    expect(readme).toContain("# API tests of `Shop <b> x`\n")
    expect(readme).toContain("imported this project from `shop.json` (Postman).")
    for (const row of [
      "| requests (1) | 1 as files in `apis/shop/requests` |",
      "| folders and order | workflows in `apis/workflow`: `orders` |",
      "| environments | `default` |",
      "| unsupported settings (1) | not the same here |",
      "with `callsheet env write`: `shop.missing`.",
      "aren't in git: `token`.",
      "Translate the scripts, which have the original as a comment: `apis/workflow/scripts/orders/",
      "`callsheet run --all`",
    ])
      expect(readme).toContain(row)
    expect(readme).not.toContain(SECRET)
    expect(readme).not.toContain(folder)
  })

  it.each(["README.md", "readme.rst", "Readme"])("isn't written if there is a %s", async (name) => {
    const folder = await folderWith({ "shop.json": shop, [`project/${name}`]: "mine\n" })
    const words = ["shop.json", "--into", "project", "--force"]
    const { result } = await importInto(folder, words)
    expect(result?.files.length).toBeGreaterThan(3)
    expect(result?.files).not.toContain("README.md")
    expect(await readText(folder, `project/${name}`)).toBe("mine\n")
  })

  it("is written even if a word of it is a secret", async () => {
    const folder = await folderWith({
      "shop.json": { ...shop, variable: [{ key: "token", value: "colleagues", type: "secret" }] },
    })
    const { exitCode, stderr } = await importInto(folder, ["shop.json"])
    expect([exitCode, stderr]).toEqual([1, ""])
    expect(await readText(folder, "README.md")).toContain("Give your colleagues")
  })

  it("stays as it is when another source is imported", async () => {
    const folder = await folderWith({ "shop.json": shop, "cmds.sh": "curl https://b.example/x\n" })
    await importInto(folder, ["shop.json"])
    const before = await readText(folder, "README.md")
    const { result } = await importInto(folder, ["cmds.sh", "--force"])
    expect(result?.files).not.toContain("README.md")
    expect(await readText(folder, "README.md")).toBe(before)
  })
})
