import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { formatProblem } from "../problems.ts"
import type { InputDeclaration } from "../workflow/types.ts"
import { readRows } from "./read-rows.ts"

const declarations: Readonly<Record<string, InputDeclaration>> = {
  sku: { type: "string", required: true },
  quantity: { type: "number", default: 1 },
  gift: { type: "boolean" },
}

interface Options {
  readonly inputs?: Readonly<Record<string, InputDeclaration>>
  readonly given?: readonly string[]
  /** The number of bytes in a chunk. */
  readonly chunk?: number
}

/** Returns the inputs of each row, and each problem as a line of text with its hint. */
function read(file: string, content: string | Uint8Array, options: Options = {}): unknown[] {
  const { inputs = declarations, given = [], chunk = 1_000 } = options
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunk) }, (_, index) =>
    bytes.subarray(index * chunk, (index + 1) * chunk),
  )
  return [...readRows(file, chunks, { declarations: inputs, given: new Set(given) })].map((item) =>
    item.ok
      ? item.row.inputs
      : `${formatProblem(item.problem)}${item.problem.hint === undefined ? "" : `; hint: ${item.problem.hint}`}`,
  )
}

const problems = (...parameters: Parameters<typeof read>): string[] =>
  read(...parameters).filter((item) => typeof item === "string")

describe("readRows of a CSV file", () => {
  it("types cells by the declarations, and numbers rows from 1", () => {
    const text = 'sku,quantity,gift\nA,2,true\n"B ""x"", y\nz",1e3,false\n'
    const rows = [...readRows("a.csv", [new TextEncoder().encode(text)], { declarations, given: new Set() })]
    expect(rows).toMatchObject([
      { ok: true, row: { row: 1, inputs: { sku: "A", quantity: 2, gift: true } } },
      { ok: true, row: { row: 2, inputs: { sku: 'B "x", y\nz', quantity: 1000, gift: false } } },
    ])
  })

  it("accepts a byte order mark, every line ending, no last line break, and blank lines", () => {
    const rows = [{ sku: "A" }, { sku: "B" }]
    for (const text of [
      "\ufeffsku\nA\nB",
      "sku\r\nA\r\n\r\nB\r\n",
      ["", "", "sku", "A", "B", ""].join("\r"),
      '\n\n"sku"\r\n"A"\n\n\n"B"\n\n',
    ])
      for (const chunk of [1, 2, 3, 1_000]) expect(read("a.csv", text, { chunk })).toEqual(rows)
  })

  it("reads an empty cell as an empty string, or as no value of a number or boolean", () => {
    expect(read("a.csv", "gift,sku,quantity\n,,\n")).toEqual([{ sku: "" }])
    expect(read("a.csv", 'sku\n""\n')).toEqual([{ sku: "" }])
  })

  it("keeps the digits of large integers", () => {
    expect(read("a.csv", "sku,quantity\n00,9007199254740993\n")).toEqual([
      { sku: "00", quantity: 9_007_199_254_740_993n },
    ])
  })

  it("requires a value for each required input that has no other value", () => {
    const inputs = { sku: { type: "string", required: true }, n: { type: "number", required: true } } as const
    const missing =
      'a.csv:1:1: the required input "n" has no column (input-missing); hint: to use the same value for all rows, add --input n=<number>'
    expect(read("a.csv", "sku\nA\n", { inputs })).toEqual([missing, { sku: "A" }])
    expect(read("a.csv", "sku\nA\n", { inputs, given: ["n"] })).toEqual([{ sku: "A" }])
    expect(problems("a.csv", "sku,n\nA,1\nB,\n", { inputs })).toEqual([
      'a.csv:3:3: the cell of the required input "n" is empty (input-missing)',
    ])
    expect(read("a.csv", "sku,n\nA,\n", { inputs, given: ["n"] })).toEqual([{ sku: "A" }])
  })

  it.each([
    ["", "1:1: the file has no rows (rows-invalid)"],
    ["\n\n", "1:1: the file has no rows (rows-invalid)"],
    ["sku,gift\n", "1:1: the file has no rows (rows-invalid)"],
    [
      "sku,quantity\nA,two\n",
      '2:3: the input "quantity" is not a number, but it is declared as a number (input-type); hint: a number looks like 5000, -1.5 or 1e3',
    ],
    [
      'sku,gift\n"a\nb",true\n"é😀",yes\n',
      '4:7: the input "gift" is not a boolean, but it is declared as a boolean (input-type); hint: write true or false',
    ],
    [
      "sku,quantities\nA,1\n",
      '1:5: the workflow doesn\'t declare the input "quantities" (input-unknown); hint: did you mean "quantity"?',
    ],
    ["sku,gift,sku\nA,true,B\n", '1:10: duplicate column "sku" (rows-invalid)'],
    [
      "sku,\nA,\n",
      "1:5: the name of column 2 is missing (rows-invalid); hint: the first line must contain the name of each column",
    ],
    ["sku,gift\r\nA\r\n", "2:2: cells in this row: expected 2, received 1 (rows-invalid)"],
    [
      "sku,gift\nA,true,x,y\n",
      "2:8: cells in this row: expected 2, received 4 (rows-invalid); hint: put a cell that contains a comma in quotes",
    ],
    ['sku\nA\n"B\nC\n', "3:1: the quote is not closed (rows-invalid)"],
    [
      'sku,gift\n"A"B,true\n',
      '2:4: unexpected text after the closing quote (rows-invalid); hint: in a quoted cell, write "" for a quote',
    ],
    [
      'sku,gift\nA"B,true\n',
      '2:2: unexpected quote inside a cell (rows-invalid); hint: put the whole cell in quotes, and write "" for each quote in it',
    ],
    [
      "sku;quantity\nA;1\n",
      '1:1: the columns are separated by ";"; expected "," (rows-invalid); hint: save the file as comma-separated values',
    ],
  ])("reports what is wrong in %j, once and with its position", (text, problem) => {
    for (const chunk of [1, 1_000]) expect(problems("a.csv", text, { chunk })).toEqual([`a.csv:${problem}`])
  })

  it.each([
    ['{ "data": [{ "sku": "A" }] }', 'the array is in "data": save only this array in the file'],
    ['{"items":[]}', 'the array is in "items": save only this array in the file'],
    [
      '{ "sku": "A" }',
      "put brackets around it: [{ … }]; if each line is an object, use the extension .ndjson",
    ],
    [
      '{"sku":"A"}\n{"sku":"B"}\n',
      "put brackets around it: [{ … }]; if each line is an object, use the extension .ndjson",
    ],
    ['"A"', undefined],
  ])("says how to make an array of %j", (text, hint) => {
    const found = problems("a.json", text)
    expect(found).toHaveLength(1)
    expect(found[0]?.split("; hint: ")[1]).toBe(hint)
  })

  it("reports every row with a problem", () => {
    expect(problems("a.csv", "sku,gift\nA,1\nB,true\nC\n")).toHaveLength(2)
  })

  it("reads back what was written, in chunks of any size", () => {
    const cell = fc.string({ unit: fc.constantFrom("a", '"', ",", "\n", "\r", "é", "😀", "\ufeff") })
    const file = fc.record({
      rows: fc.array(fc.tuple(cell, cell), { minLength: 1 }),
      chunk: fc.integer({ min: 1, max: 9 }),
      lineEnd: fc.constantFrom("\n", "\r\n", "\r"),
    })
    const inputs = { a: { type: "string" }, b: { type: "string" } } as const
    const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`
    fc.assert(
      fc.property(file, ({ rows, chunk, lineEnd }) => {
        const text = [["a", "b"], ...rows].map((cells) => cells.map(quoted).join(",")).join(lineEnd)
        expect(read("a.csv", text, { inputs, chunk })).toEqual(rows.map(([a, b]) => ({ a, b })))
      }),
    )
  })
})

describe("readRows of a JSON file", () => {
  const array =
    '\ufeff [ {"sku": "A", "quantity": 12345678901234567890},\r\n {"sku": "]}\\"", "gift": "true"} ]\n'
  const lines =
    '\ufeff{"sku": "A", "quantity": 12345678901234567890}\r\n\n {"sku": "]}\\"", "gift": "true"} \n'

  it.each([
    ["a.json", array],
    ["A.NDJSON", lines],
    ["a.jsonl", lines],
  ])("types the fields in %s, and coerces text", (file, text) => {
    for (const chunk of [1, 2, 3, 1_000])
      expect(read(file, text, { chunk })).toEqual([
        { sku: "A", quantity: 12_345_678_901_234_567_890n },
        { sku: ']}"', gift: true },
      ])
  })

  it.each([
    ["a.json", "", "1:1: the file has no rows (rows-invalid)"],
    ["a.json", "\n[ ]", "1:1: the file has no rows (rows-invalid)"],
    ["a.ndjson", "\n \n", "1:1: the file has no rows (rows-invalid)"],
    [
      "a.json",
      '\n{"sku": "A"}\n{"sku": "B"}',
      '2:1: expected an array of objects, received "{" (rows-invalid); hint: put brackets around it: [{ … }]; if each line is an object, use the extension .ndjson',
    ],
    ["a.json", '[{"sku": "A"}, 7]', "1:16: this row is a number; expected an object (rows-invalid)"],
    ["a.ndjson", '{"sku": "A"}\n[]\n', "2:1: this row is an array; expected an object (rows-invalid)"],
    ["a.json", '[\n  {"sku": "A"}\n  {"sku": "B"}]', '3:3: expected "," or "]", received "{" (json-syntax)'],
    ["a.json", '[{"sku": "A"},\n]', '2:1: unexpected comma before "]" (json-syntax); hint: remove the comma'],
    ["a.json", '[{"sku": "A"}', '1:14: expected "," or "]", received the end of the file (json-syntax)'],
    ["a.json", '[{"sku": "A"}]\n7', "2:1: unexpected text after the end of the JSON value (json-syntax)"],
    ["a.json", '[{"sku": "A"}, {"sku": "B}]', "1:24: the string is not closed (json-syntax)"],
    ["a.json", "[", "1:2: expected a JSON value, received the end of the file (json-syntax)"],
    ["a.ndjson", '{"sku": "A"}\n{"sku": B}\n', '2:9: expected a JSON value, received "B" (json-syntax)'],
    ["a.ndjson", '{"sku": "A", "sku": "B"}', '1:14: duplicate key "sku" (json-syntax)'],
    [
      "a.json",
      '[{"sku":\n{"a": 1}}]',
      '2:1: the input "sku" is an object, but it is declared as a string (input-type); hint: write it as text in quotes',
    ],
    [
      "a.ndjson",
      '{"sku": "😀", "quantity": null}',
      '1:27: the input "quantity" is null, but it is declared as a number (input-type); hint: to use the input\'s default, leave it out',
    ],
    [
      "a.ndjson",
      '{"sku": "A", "constructor": 1}\n{"sku": "A", "constructor": 1}',
      '1:14: the workflow doesn\'t declare the input "constructor" (input-unknown); hint: the workflow has sku, quantity, gift',
    ],
    [
      "a.ndjson",
      '{"sku": "A"}\n  {"gift": true}',
      '2:3: this row doesn\'t set the required input "sku" (input-missing); hint: to use the same value for all rows, add --input sku=<string>',
    ],
  ])("of the kind %s reports what is wrong in %j", (file, text, problem) => {
    for (const chunk of [1, 1_000]) expect(problems(file, text, { chunk })).toEqual([`${file}:${problem}`])
  })

  it("reports every line that is not JSON, and reads the others", () => {
    expect(read("a.ndjson", '{\n{"sku": "A"}\n}\n')).toEqual([
      expect.stringContaining("a.ndjson:1:2:"),
      { sku: "A" },
      expect.stringContaining("a.ndjson:3:1:"),
    ])
  })
})

describe("readRows", () => {
  it("reads only files with a known extension", () => {
    for (const file of ["rows.txt", "rows", ".csv/rows", "rows.constructor"])
      expect(read(file, "sku\nA\n")).toEqual([
        `${file}: callsheet can't read rows from this kind of file (rows-invalid); hint: use a file with the extension .csv, .json or .ndjson`,
      ])
  })

  it("reports the position of the first byte that is not UTF-8, and other encodings", () => {
    const latin = Buffer.from("sku\né\nA", "latin1")
    for (const chunk of [1, 1_000])
      expect(problems("a.csv", latin, { chunk })).toEqual([
        "a.csv:2:1: the file is not UTF-8: byte 4 is invalid (file-encoding); hint: save the file as UTF-8",
      ])
    const long = Uint8Array.from([...new TextEncoder().encode("sku\nA\né"), 0xe2, 0x82])
    for (const chunk of [1, 2, 1_000])
      expect(problems("a.csv", long, { chunk })).toEqual([
        "a.csv:3:2: the file is not UTF-8: byte 8 is invalid (file-encoding); hint: save the file as UTF-8",
      ])
    const wide = Buffer.from("sku\nA", "utf16le")
    expect(problems("a.csv", wide)).toEqual([
      "a.csv:1:2: the file looks like UTF-16 (little-endian), not UTF-8 (file-encoding); hint: save the file as UTF-8",
    ])
  })

  it("shows only the start of a long name, and no values", () => {
    const name = "name".repeat(1_000)
    const [problem = ""] = problems("a.csv", `sku,${name}\nA,B\n`)
    expect(problem).toContain("namename")
    expect(problem.length).toBeLessThan(300)
    for (const text of ["sku,quantity\nA,S3CRET\n", 'sku\nA"S3CRET"\n', 'sku,gift\n"A"S3CRET,true'])
      expect(problems("a.csv", text).join()).not.toContain("S3CRET")
  })

  it("stops at a quote that would make the rest of a large file one row", () => {
    const chunk = new TextEncoder().encode("sku\nA\n".repeat(10_000))
    let chunks = 0
    const endless = function* () {
      yield new TextEncoder().encode('sku\n"A\n')
      while (chunks++ < 10_000) yield chunk
    }
    const found = [...readRows("a.csv", endless(), { declarations, given: new Set() })]
    expect(found).toMatchObject([{ ok: false, problem: { code: "rows-invalid", line: 2, column: 1 } }])
    expect(chunks).toBeLessThan(2_000)
  })
})
