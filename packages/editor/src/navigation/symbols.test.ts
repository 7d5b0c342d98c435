import { describe, expect, it } from "vitest"
import type {
  DocumentLink,
  DocumentSymbol,
  FoldingRange,
  SelectionRange,
  SymbolInformation,
} from "vscode-languageserver-protocol"
import { openEditor } from "../testing/open-editor.ts"
import { shopFiles, withCaret, type ShopFile } from "../testing/named-files.ts"

const CHECKOUT = "apis/workflow/checkout.json"
const SECRETS = "apis/shop/environments/local.secrets.env"

const nested = { textDocument: { documentSymbol: { hierarchicalDocumentSymbolSupport: true } } }

async function symbols(file: ShopFile, text: string = shopFiles[file]): Promise<readonly DocumentSymbol[]> {
  const editor = openEditor({ ...shopFiles, [file]: text }, nested)
  const params = { textDocument: { uri: editor.uriOf(file) } }
  return (await editor.ask("textDocument/documentSymbol", params)) as readonly DocumentSymbol[]
}

const named = (list: readonly DocumentSymbol[]): unknown =>
  list.map(({ name, children = [] }) => (children.length === 0 ? name : [name, named(children)]))

describe("documentSymbol", () => {
  it("nests blocks after the inputs", async () => {
    expect(named(await symbols(CHECKOUT))).toEqual([
      "sku",
      "amount",
      "login",
      ["all", ["add-{{item.sku}}"]],
      "check",
      "total",
    ])
  })

  it.each<readonly [ShopFile, unknown]>([
    ["apis/shop/environments/schema.json", ["baseUrl", "apiKey", "timeout"]],
    ["apis/shop/environments/local.json", ["baseUrl", "timeout"]],
    ["callsheet.json", [["nightly", ["first", "checkout", "clean", "clean"]]]],
    ["apis/shop/requests/cart/add.json", ["addItem"]],
  ])("lists the names in %s", async (file, names) => {
    expect(named(await symbols(file))).toEqual(names)
  })

  it("never shows a value of an environment", async () => {
    const files = [SECRETS, "apis/shop/environments/test.json", "apis/shop/environments/local.json"] as const
    const shown = JSON.stringify(await Promise.all(files.map((file) => symbols(file))))
    expect(shown).toContain("apiKey")
    expect(shown).not.toMatch(/hunter2|in-the-wrong-file|localhost/)
  })

  it("lists the blocks of half-written files", async () => {
    const text = shopFiles[CHECKOUT]
    for (let length = 0; length < text.length; length += 31) await symbols(CHECKOUT, text.slice(0, length))
    expect(named(await symbols(CHECKOUT, text.slice(0, text.indexOf('"check"'))))).toContain("login")
  })
})

describe("workspace/symbol", () => {
  const find = async (query: string): Promise<readonly string[]> => {
    const found = await openEditor(shopFiles).ask("workspace/symbol", { query })
    return (found as readonly SymbolInformation[]).map(
      ({ name, containerName }) => `${name} (${containerName})`,
    )
  }

  it("finds everything that has a name, best matches first", async () => {
    expect(await find("login")).toEqual(["login (checkout)", "login (shop POST /login)"])
    expect(await find("chk")).toContain("checkout ()")
    expect((await find("addI"))[0]).toBe("addItem (shop POST /items)")
    expect(await find("apikey")).toEqual(["apiKey (shop)"])
    expect(await find("nightly")).toEqual(["nightly ()"])
    expect(await find("local")).toEqual(["local (shop)"])
    expect(await find("add")).toContain("add (shop cart)")
    expect(await find("zzz")).toEqual([])
  })
})

describe("foldingRange", () => {
  it("folds every object and list that has several lines", async () => {
    const editor = openEditor(shopFiles)
    const params = { textDocument: { uri: editor.uriOf(CHECKOUT) } }
    const folds = (await editor.ask("textDocument/foldingRange", params)) as readonly FoldingRange[]
    const lines = shopFiles[CHECKOUT].trimEnd().split("\n")
    expect(folds.map(({ startLine }) => startLine)).toEqual(
      [...lines.keys()].filter((line) => /[[{]$/.test(lines[line] ?? "")),
    )
    expect(folds[0]).toMatchObject({ startLine: 0, endLine: lines.length - 2 })
  })
})

describe("selectionRange", () => {
  it("grows from a name to its placeholder, string, member and block", async () => {
    const editor = openEditor(withCaret(CHECKOUT, "login.response.body.names"))
    const text = shopFiles[CHECKOUT]
    const at = editor.textOf(CHECKOUT).slice(0, text.indexOf("login.response.body.names")).split("\n")
    const position = { line: at.length - 1, character: at.at(-1)?.length ?? 0 }
    const [range] = (await editor.ask("textDocument/selectionRange", {
      textDocument: { uri: editor.uriOf(CHECKOUT) },
      positions: [position],
    })) as readonly SelectionRange[]
    const uri = editor.uriOf(CHECKOUT)
    const texts: string[] = []
    for (let here = range; here !== undefined; here = here.parent)
      texts.push((editor.shown([{ uri, range: here.range }])[0] ?? "").replace(/^.*?: /, ""))
    expect(texts.slice(0, 4)).toEqual([
      "login",
      "{{login.response.body.names.{{sku}}}}",
      "{{login.response.body.names.{{sku}}}} {{amount}}",
      '"{{login.response.body.names.{{sku}}}} {{amount}}"',
    ])
    expect(texts.at(-1)).toBe(text.trimEnd())
  })
})

describe("documentLink", () => {
  it.each<readonly [ShopFile, readonly string[]]>([
    [
      CHECKOUT,
      [
        "apis/shop/openapi.json",
        "apis/shop/requests/cart/add.json",
        "apis/workflow/scripts/checkout/sums.ts",
      ],
    ],
    ["callsheet.json", ["apis/shop/environments/local.json", "apis/workflow/clean.json", "rows/orders.csv"]],
    ["apis/shop/environments/test.json", ["apis/shop/environments/local.json"]],
  ])("links %s to files", async (file, targets) => {
    const editor = openEditor(shopFiles)
    const params = { textDocument: { uri: editor.uriOf(file) } }
    const links = (await editor.ask("textDocument/documentLink", params)) as readonly DocumentLink[]
    const found = new Set(links.map(({ target }) => target))
    for (const target of targets) expect(found).toContain(editor.uriOf(target))
  })

  it("doesn't link to a file outside the project", async () => {
    const settings = shopFiles["callsheet.json"].replace("rows/orders.csv", "../../etc/passwd")
    const editor = openEditor({ ...shopFiles, "callsheet.json": settings })
    const params = { textDocument: { uri: editor.uriOf("callsheet.json") } }
    expect(JSON.stringify(await editor.ask("textDocument/documentLink", params))).not.toContain("passwd")
  })
})
