// Names of items in any language, in ids, files and descriptions.
// cspell:disable

import { describe, expect, it } from "vitest"
import { startApi } from "../harness/api-server.ts"
import { callsheet, textsIn } from "../harness/callsheet.ts"
import { folderWith, importInto, readJson, validated } from "./import-into.ts"

const request = (name: string, path: string, more: object = {}) => ({
  name,
  request: { method: "GET", url: `{{baseUrl}}${path}` },
  ...more,
})

const collection = (name: string, item: readonly unknown[], url = "https://shop.example") => ({
  info: { name, schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" },
  item,
  variable: [{ key: "baseUrl", value: url }],
})

interface Block {
  readonly id: string
  readonly type: string
  readonly description?: string
  readonly blocks?: readonly Block[]
}

const blocksIn = async (root: string, workflow: string): Promise<readonly Block[]> =>
  ((await readJson(root, `apis/workflow/${workflow}.json`)) as { readonly blocks: readonly Block[] }).blocks

describe("the name of an item", () => {
  it("keeps letters of every alphabet in ids and files, and a run finds them", async () => {
    const api = await startApi({ "GET /neu": { body: { id: 7 } }, "*": { body: {} } })
    const root = await folderWith({
      "shop.json": collection(
        "Größen-Dienst",
        [
          {
            name: "Café",
            item: [
              request("Größe anlegen", "/neu", {
                event: [
                  { listen: "test", script: { exec: 'pm.environment.set("id", pm.response.json().id)' } },
                ],
              }),
              request("Größe ändern", "/{{id}}"),
            ],
          },
          {
            name: "支付",
            item: [request("创建订单", "/pay", { event: [{ listen: "test", script: { exec: "go()" } }] })],
          },
          { name: "Заказы", description: "Все заказы.", item: [request("Прочитать: №1?", "/all")] },
        ],
        api.url,
      ),
    })
    const { result } = await importInto(root, ["shop.json"])
    // Workflows and APIs have ASCII names.
    expect(result?.workflows).toEqual(["cafe", "workflow", "zakazy"])
    expect(result?.files).toEqual(
      expect.arrayContaining([
        "apis/groessen-dienst/requests/café/größe-ändern.json",
        "apis/groessen-dienst/requests/支付/创建订单.json",
        "apis/groessen-dienst/requests/заказы/прочитать-1.json",
        "apis/workflow/scripts/workflow/创建订单-after.ts",
      ]),
    )
    expect(await blocksIn(root, "cafe")).toMatchObject([
      { id: "größe-anlegen", description: "Größe anlegen" },
      { id: "größe-anlegen-values" },
      { id: "größe-ändern", description: "Größe ändern" },
    ])
    // The name of the workflow shows nothing of this one.
    expect(await blocksIn(root, "workflow")).toMatchObject([
      { id: "支付", type: "group", blocks: [{ id: "创建订单" }, { id: "创建订单-after", type: "script" }] },
    ])
    expect(await blocksIn(root, "zakazy")).toMatchObject([
      { id: "прочитать-1", description: "Прочитать: №1?" },
    ])
    expect(await validated(root)).toEqual(["import-todo"])
    const { exitCode, stderr } = await callsheet(["run", "cafe", "workflow", "zakazy"], { folder: root })
    await api.close()
    expect(exitCode, stderr).toBe(0)
    expect(api.requests.map(({ url }) => url)).toEqual(["/neu", "/7", "/pay", "/all"])
  })

  it("is cut at a word, and is whole in the description, before the source's own", async () => {
    const name = "Capture and split an authorized payment between balance accounts"
    const root = await folderWith({
      "shop.json": collection("Shop", [
        {
          name: "Payments",
          item: [
            {
              name,
              request: { method: "GET", url: "{{baseUrl}}/a", description: "Splits it." },
            },
            request("login", "/b"),
          ],
        },
      ]),
    })
    const id = "capture-and-split-an-authorized-payment-between-balance"
    await importInto(root, ["shop.json"])
    const description = `${name}\n\nSplits it.`
    expect(await blocksIn(root, "payments")).toMatchObject([{ id, description }, { id: "login" }])
    expect((await blocksIn(root, "payments"))[1]?.description).toBeUndefined()
    expect(await readJson(root, `apis/shop/requests/payments/${id}.json`)).toMatchObject({ description })
  })

  it("fits every file system: devices, invisible characters and long names", async () => {
    const long = "この支払いリンクのステータスを更新して".repeat(10)
    const names = ["CON", "a\u200db\u3164c", "🎉", long, "x".repeat(300), "É", "e\u0301"]
    const root = await folderWith({
      "shop.json": collection(
        "Shop",
        names.map((name) => request(name, "/a")),
      ),
    })
    await importInto(root, ["shop.json"])
    expect(await validated(root)).toEqual([])
    const files = Object.keys(await textsIn(root)).filter((file) => file.includes("/requests/"))
    const stems = files.map((file) => file.replace(/^.*\/|\.json$/g, ""))
    expect(stems.toSorted()).toEqual(
      ["con-1", "a-b-c", "request", long.slice(0, 60), "x".repeat(60), "é", "é-2"].toSorted(),
    )
    for (const stem of stems) expect(Buffer.byteLength(`${stem}.json`)).toBeLessThan(256)
  })
})
