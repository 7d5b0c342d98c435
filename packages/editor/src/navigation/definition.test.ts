import { describe, expect, it } from "vitest"
import { openEditor } from "../testing/open-editor.ts"
import { shopFiles, withCaret, type ShopFile } from "../testing/named-files.ts"

const CHECKOUT = "apis/workflow/checkout.json"
const SCRIPT = "apis/workflow/scripts/checkout/sums.ts"
const SAVED = "apis/shop/requests/cart/add.json"

async function define(file: ShopFile, before: string, skipped = 0): Promise<readonly string[]> {
  const editor = openEditor(withCaret(file, before, skipped))
  return editor.shown(await editor.askAtCaret("textDocument/definition"))
}

async function refer(file: ShopFile, before: string, skipped = 0): Promise<readonly string[]> {
  const editor = openEditor(withCaret(file, before, skipped))
  const context = { includeDeclaration: false }
  return editor.shown(await editor.askAtCaret("textDocument/references", { context }))
}

describe("definition", () => {
  it.each<readonly [string, ShopFile, string, number, readonly string[]]>([
    ["a block in a path", CHECKOUT, "login.response.status", 0, [`${CHECKOUT}:15: login`]],
    ["a block in a placeholder", CHECKOUT, "login.response.body.names", 0, [`${CHECKOUT}:15: login`]],
    ["a block with placeholders in its id", CHECKOUT, "add-a1", 0, [`${CHECKOUT}:37: add-{{item.sku}}`]],
    ["an input inside another placeholder", CHECKOUT, "sku}}}}", 0, [`${CHECKOUT}:4: sku`]],
    ["an iterator in an id", CHECKOUT, "item.sku", 0, [`${CHECKOUT}:34: item`]],
    ["a plain variable", CHECKOUT, "apiKey", 0, ["apis/shop/environments/schema.json:8: apiKey"]],
    ["a variable of `env`", CHECKOUT, "apiKey}}", 1, ["apis/shop/environments/schema.json:8: apiKey"]],
    ["a saved request", CHECKOUT, 'add"', 0, [`${SAVED}:1: `]],
    ["an operation", CHECKOUT, 'login",', 1, ["apis/shop/openapi.json:9: "]],
    ["a property of a response", CHECKOUT, 'token"', 0, ["apis/shop/openapi.json:45: "]],
    ["a list in a response", CHECKOUT, 'items"', 0, ["apis/shop/openapi.json:48: "]],
    ["the status of a response", CHECKOUT, 'status"', 0, ["apis/shop/openapi.json:13: "]],
    ["a script", CHECKOUT, "sums", 0, [`${SCRIPT}:1: `]],
    ["an export", CHECKOUT, 'total"', 1, [`${SCRIPT}:3: total`]],
    ["a block in a script", SCRIPT, "login.response", 0, [`${CHECKOUT}:15: login`]],
    ["an input in a script", SCRIPT, "sku, key", 0, [`${CHECKOUT}:4: sku`]],
    ["a variable in a script", SCRIPT, "apiKey", 0, ["apis/shop/environments/schema.json:8: apiKey"]],
    ["a block in a saved request", SAVED, "login.", 0, [`${CHECKOUT}:15: login`]],
    ["an input in a saved request", SAVED, "sku}}", 0, [`${CHECKOUT}:4: sku`]],
    ["a variable in a saved request", SAVED, "apiKey}}", 0, ["apis/shop/environments/schema.json:8: apiKey"]],
    ["a workflow in a suite", "callsheet.json", 'clean"', 1, ["apis/workflow/clean.json:1: "]],
    ["an environment", "callsheet.json", 'local"', 0, ["apis/shop/environments/local.json:1: "]],
    ["an entry's block", "callsheet.json", "login.response", 1, [`${CHECKOUT}:15: login`]],
    [
      "the block of a workflow that `finally` cleans up after",
      "callsheet.json",
      "login.response",
      0,
      [`${CHECKOUT}:15: login`],
    ],
    ["a data file", "callsheet.json", "rows/orders", 0, ["rows/orders.csv:1: "]],
    ["a column of a data file", "rows/orders.csv", "amount", 0, [`${CHECKOUT}:8: amount`]],
    [
      "a parent environment",
      "apis/shop/environments/test.json",
      'local"',
      0,
      ["apis/shop/environments/local.json:1: "],
    ],
    [
      "a variable in a value file",
      "apis/shop/environments/local.json",
      "timeout",
      0,
      ["apis/shop/environments/schema.json:13: timeout"],
    ],
    [
      "a variable in a secrets file",
      "apis/shop/environments/local.secrets.env",
      "apiKey",
      0,
      ["apis/shop/environments/schema.json:8: apiKey"],
    ],
  ])("of %s", async (_, file, before, skipped, expected) => {
    expect(await define(file, before, skipped)).toEqual(expected)
  })

  it("says nothing about a secret's value", async () => {
    expect(
      await openEditor(withCaret("apis/shop/environments/local.secrets.env", "unter2")).askAtCaret(
        "textDocument/definition",
      ),
    ).toBeNull()
  })
})

describe("references", () => {
  it("of a block include paths, nested placeholders, scripts, saved requests and suites", async () => {
    expect(await refer(CHECKOUT, 'login",\n      "type"')).toEqual([
      `${SAVED}:6: login`,
      `${CHECKOUT}:33: login`,
      `${CHECKOUT}:45: login`,
      `${CHECKOUT}:57: login`,
      `${CHECKOUT}:62: login`,
      `${SCRIPT}:4: login`,
      `${SCRIPT}:5: login`,
      "callsheet.json:30: login",
      "callsheet.json:38: login",
    ])
  })

  it("of a variable include value and secrets files", async () => {
    expect(await refer("apis/shop/environments/schema.json", "apiKey")).toEqual([
      "apis/shop/environments/local.secrets.env:2: apiKey",
      "apis/shop/environments/test.json:3: apiKey",
      `${SAVED}:7: apiKey`,
      `${CHECKOUT}:23: apiKey`,
      `${CHECKOUT}:64: apiKey`,
      `${SCRIPT}:8: apiKey`,
    ])
  })

  it("of an input include rows and entries", async () => {
    const found = await refer(CHECKOUT, 'sku": {')
    expect(found).toContain("rows/orders.csv:1: sku")
    expect(found).toContain("callsheet.json:18: sku")
    expect(found).toContain(`${SCRIPT}:8: sku`)
  })

  it("of an operation include every block that sends it", async () => {
    expect(await refer(CHECKOUT, 'login",', 1)).toEqual([
      expect.stringContaining(`${CHECKOUT}:19:`),
      expect.stringContaining("apis/workflow/clean.json:14:"),
    ])
  })

  it("of an operation are found from its document", async () => {
    expect(await refer("apis/shop/openapi.json", 'addItem"')).toEqual([
      `${SAVED}:3: addItem`,
      `${CHECKOUT}:41: add`,
    ])
  })

  it("of a column are those of its input", async () => {
    expect(await refer("rows/orders.csv", "sku")).toEqual(await refer(CHECKOUT, 'sku": {'))
  })
})

describe("documentHighlight", () => {
  it("marks where a block gets its name, and where it is read", async () => {
    const editor = openEditor(withCaret(CHECKOUT, "login.response.status"))
    const found = await editor.askAtCaret("textDocument/documentHighlight")
    expect(found).toHaveLength(5)
    expect(found).toContainEqual(expect.objectContaining({ kind: 3 }))
  })
})

describe("half-written files", () => {
  it("answer at every offset of every prefix", async () => {
    const text = shopFiles[CHECKOUT]
    for (let length = 0; length < text.length; length += 97) {
      const editor = openEditor({ ...shopFiles, [CHECKOUT]: `${text.slice(0, length)}‸` })
      await editor.askAtCaret("textDocument/definition")
      await editor.askAtCaret("textDocument/references", { context: { includeDeclaration: true } })
      await editor.askAtCaret("textDocument/documentHighlight")
    }
  })

  it("find the block before a broken line", async () => {
    const broken = shopFiles[CHECKOUT].replace(
      '"operator": "equals",\n          "value": 200',
      '"operator": ',
    )
    const at = broken.indexOf("login.response.status")
    const editor = openEditor({ ...shopFiles, [CHECKOUT]: `${broken.slice(0, at)}‸${broken.slice(at)}` })
    expect(editor.shown(await editor.askAtCaret("textDocument/definition"))).toEqual([
      `${CHECKOUT}:15: login`,
    ])
  })
})
