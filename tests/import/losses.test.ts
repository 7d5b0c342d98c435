// What an import says about its losses: by cause and severity, on a screen, with every item in the JSON.

import { describe, expect, it } from "vitest"
import { callsheet } from "../harness/callsheet.ts"
import { folderWith, importInto } from "./import-into.ts"

const schema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"

const quietItem = (name: string): object => ({
  name,
  request: {
    method: "GET",
    url: `https://a.example/${name}`,
    header: [{ key: "X-Old", value: "1", disabled: true }],
  },
  response: [{ name: "saved" }],
})

const postman = (item: readonly object[], more: object = {}): object => ({
  info: { name: "Shop", schema },
  item,
  ...more,
})

/** Sources whose losses have no effect on requests, with what each loses. */
const harmless: Readonly<
  Record<string, readonly [files: Record<string, unknown>, losses: readonly string[]]>
> = {
  "Postman collection": [
    {
      "source.json": postman(
        [
          { ...quietItem("Ping"), color: "red" },
          { name: "Old", color: "#f00", item: [quietItem("Pong")] },
        ],
        {
          variable: [{ key: "unused", value: "1", disabled: true }],
        },
      ),
    },
    [
      "source.json: Ping: 1 saved response",
      "source.json: Ping: header X-Old",
      "source.json: Old: color",
      "source.json: Old / Pong: 1 saved response",
      "source.json: Old / Pong: header X-Old",
      "source.json: variable unused",
    ],
  ],
  "Insomnia export of version 4": [
    {
      "source.json": {
        _type: "export",
        __export_format: 4,
        resources: [
          { _id: "wrk", _type: "workspace", parentId: null, name: "Shop" },
          { _id: "env", _type: "environment", parentId: "wrk", name: "Base", data: {}, color: null },
          { _id: "sub", _type: "environment", parentId: "env", name: "Staging", data: {}, color: "#ff0000" },
          {
            _id: "req",
            _type: "request",
            parentId: "wrk",
            name: "Ping",
            method: "GET",
            url: "https://a.example/ping",
            headers: [{ name: "X-Old", value: "1", disabled: true }],
          },
        ],
      },
    },
    ["source.json: Staging: color", "source.json: Ping: header X-Old"],
  ],
  "Insomnia export of version 5": [
    {
      "source.json": `type: collection.insomnia.rest/5.0
name: Shop
collection:
  - { name: Ping, url: "https://a.example/ping", method: GET, meta: { id: r1 } }
environments: { name: Base, color: "#00ff00", subEnvironments: [{ name: Staging, color: "#ff0000" }] }
`,
    },
    ["source.json: Base: color", "source.json: Staging: color"],
  ],
  "Bruno directory": [
    {
      "source.json/bruno.json": { version: "1", name: "Shop", type: "collection" },
      "source.json/environments/Staging.bru": "vars {\n  a: 1\n}\ncolor: #ff0000\n",
      "source.json/ping.bru":
        "meta {\n  name: Ping\n  type: http\n  tags: [\n    smoke\n  ]\n}\n\nget {\n  url: https://a.example/ping\n}\n\nheaders {\n  ~X-Old: 1\n}\n",
    },
    ["source.json: Staging: color", "source.json: Ping: tags", "source.json: Ping: header X-Old"],
  ],
}

describe("the losses of an import", () => {
  it.each(Object.entries(harmless))(
    "are only information if the requests of a %s stay the same",
    async (_, [files, lost]) => {
      const folder = await folderWith(files)
      const { exitCode, result, stderr } = await importInto(folder, ["source.json"])
      expect(stderr).toBe("")
      expect(result?.losses.map(({ where, what }) => `${where}: ${what}`).sort()).toEqual([...lost].sort())
      expect(new Set(result?.losses.map(({ severity }) => severity))).toEqual(new Set(["information"]))
      expect(exitCode).toBe(0)
    },
  )

  it("make the command exit with 1 if they change results or need a hand", async () => {
    const strict = { ...quietItem("Strict"), protocolProfileBehavior: { strictSSL: false } }
    const script = { ...quietItem("Script"), event: [{ listen: "test", script: { exec: ["weird(pm)"] } }] }
    const folder = await folderWith({ "strict.json": postman([strict]), "script.json": postman([script]) })
    for (const [file, group, severity] of [
      ["strict.json", "unsupported settings", "changes-results"],
      ["script.json", "scripts to finish", "needs-hand"],
    ] as const) {
      const { exitCode, result } = await importInto(folder, [file, "--into", file.replace(".json", "")])
      expect(exitCode).toBe(1)
      expect(result?.losses.filter((loss) => loss.severity !== "information")).toMatchObject([
        { group, severity },
      ])
    }
  })

  it("fit on a screen, the most important first, while --json has every item", async () => {
    const many = Array.from({ length: 400 }, (_, at) => quietItem(`Request ${at}`))
    const strict = { ...quietItem("Strict"), protocolProfileBehavior: { strictSSL: false } }
    const folder = await folderWith({ "shop.json": postman([...many, strict]) })
    const { stdout } = await callsheet(["import", "shop.json"], { folder })
    const lines = stdout.trimEnd().split("\n")
    expect(lines.length).toBeLessThanOrEqual(35)
    const list = lines.slice(lines.indexOf("803 items not imported completely:"))
    expect(list.length).toBeLessThanOrEqual(20)
    expect(list.slice(1, 6)).toEqual([
      "changes results:",
      "  unsupported settings (1): callsheet doesn't support this setting",
      "      shop.json: Strict: setting strictSSL",
      "only disappears:",
      "  saved responses (401): callsheet doesn't store example responses; contract checks use the OpenAPI document",
    ])
    expect(list.at(-1)).toBe("to list everything, add --json")
    expect(lines).toContain("  apis/shop/requests/shop/ (401 files)")
    const { result } = await importInto(folder, ["shop.json"])
    expect(result?.losses.length).toBe(803)
  })
})
