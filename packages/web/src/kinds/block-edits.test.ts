import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { isJsonObject, rawBlocks, type JsonPointer, type JsonValue, valueAt } from "@callsheet/format"
import { newBlock } from "./index.ts"
import { isTaken, renameBlock } from "@callsheet/language"
import {
  addBlock,
  addBlocks,
  deleteBlocks,
  duplicateBlocks,
  moveBlocks,
  readingOf,
  unwrapBlock,
  valueOf,
  wrapBlocks,
  type Document,
  type Done,
} from "./block-edits.ts"
import { slotOfMove, type Moving } from "./block-moves.ts"

const documentOf = (blocks: JsonValue): Document => {
  const text = `${JSON.stringify({ version: 1, blocks }, null, 2)}\n`
  return { text, value: valueOf(text) }
}
const group = (id: string, ...blocks: JsonValue[]): JsonValue => ({ id, type: "group", blocks })
const note = (id: string, description: string): JsonValue => ({ id, type: "group", description, blocks: [] })

/** Formats blocks as `a(b c) d`. */
const shape = (text: string): string => shapeOf(valueAt(valueOf(text), ["blocks"]))
function shapeOf(list: JsonValue | undefined): string {
  if (!Array.isArray(list)) return ""
  return (list as readonly JsonValue[])
    .map((block) => {
      if (!isJsonObject(block)) return "?"
      const inner = ["blocks", "then", "else"]
        .flatMap((field) => (Array.isArray(block[field]) ? [shapeOf(block[field])] : []))
        .join("|")
      return `${idOf(block)}${inner === "" ? "" : `(${inner})`}`
    })
    .join(" ")
}
const idOf = (block: JsonValue | undefined): string =>
  isJsonObject(block) && typeof block["id"] === "string" ? block["id"] : "?"
const idsAt = ({ text, selected }: Done) => selected.map((block) => idOf(valueAt(valueOf(text), block)))

describe("deleting blocks", () => {
  const document = documentOf([group("a"), group("b", group("c"), group("d")), group("e")])
  it("selects the block that takes its place, the one before, or the parent", () => {
    const first = deleteBlocks(document, [["blocks", 0]])
    expect([shape(first.text), idsAt(first)]).toEqual(["b(c d) e", ["b"]])
    const last = deleteBlocks(document, [["blocks", 2]])
    expect([shape(last.text), idsAt(last)]).toEqual(["a b(c d)", ["b"]])
    const inner = deleteBlocks(document, [
      ["blocks", 1, "blocks", 0],
      ["blocks", 1, "blocks", 1],
    ])
    expect([shape(inner.text), idsAt(inner)]).toEqual(["a b e", ["b"]])
  })

  it("deletes several at once, with nested ones", () => {
    const done = deleteBlocks(document, [
      ["blocks", 2],
      ["blocks", 1, "blocks", 1],
      ["blocks", 1],
    ])
    expect([shape(done.text), idsAt(done)]).toEqual(["a", ["a"]])
  })
})

describe("moving blocks", () => {
  const document = documentOf([
    group("a"),
    group("b", group("c"), group("d")),
    { id: "if", type: "condition", then: [group("t")] },
    group("e"),
  ])
  const move = (blocks: readonly JsonPointer[], list: JsonPointer, index: number): string | undefined => {
    const done = moveBlocks(document, blocks, { list, index })
    return done === undefined ? undefined : `${shape(done.text)} / ${idsAt(done).join(" ")}`
  }

  it("keeps their order, wherever they come from", () => {
    expect(
      move(
        [
          ["blocks", 3],
          ["blocks", 1, "blocks", 0],
          ["blocks", 0],
        ],
        ["blocks", 2, "then"],
        1,
      ),
    ).toBe("b(d) if(t a c e) / a c e")
    expect(
      move(
        [
          ["blocks", 0],
          ["blocks", 3],
        ],
        ["blocks"],
        2,
      ),
    ).toBe("b(c d) a e if(t) / a e")
  })

  it("creates a missing branch", () => {
    expect(move([["blocks", 0]], ["blocks", 2, "else"], 0)).toBe("b(c d) if(t|a) e / a")
  })

  it("rejects a move into itself", () => {
    expect(move([["blocks", 1]], ["blocks", 1, "blocks"], 0)).toBeUndefined()
    expect(move([["blocks", 1]], ["blocks", 1, "blocks", 0, "blocks"], 0)).toBeUndefined()
  })

  it("changes no byte if a block is already there", () => {
    expect(moveBlocks(document, [["blocks", 1]], { list: ["blocks"], index: 2 })?.text).toBe(document.text)
  })

  const step = (block: JsonPointer, moving: Moving): string => {
    const found = slotOfMove(document.value, [block], moving)
    return "not" in found ? found.not : shape(moveBlocks(document, [block], found.slot)?.text ?? "")
  }

  it("moves one step per key, and reports when it can't", () => {
    expect(step(["blocks", 1], "up")).toBe("b(c d) a if(t) e")
    expect(step(["blocks", 1], "down")).toBe("a if(t) b(c d) e")
    expect(step(["blocks", 3], "in")).toBe("a b(c d) if(t e)")
    expect(step(["blocks", 1, "blocks", 0], "out")).toBe("a b(d) c if(t) e")
    expect(step(["blocks", 2, "then", 0], "down")).toBe("a b(c d) if(|t) e")
    expect(step(["blocks", 0], "up")).toContain("already first")
    expect(step(["blocks", 3], "down")).toContain("already last")
    expect(step(["blocks", 0], "out")).toContain("at the top")
    expect(step(["blocks", 1, "blocks", 0], "in")).toContain("contain blocks")
  })
})

describe("duplicating blocks", () => {
  it("gives the copies new ids, and lets them read each other", () => {
    const document = documentOf([
      group("a", note("b", "{{a.x}} {{b.y}} {{c.z}}")),
      { id: "c", type: "request", request: {} },
      note("a-2", "{{b.y}}"),
    ])
    const done = duplicateBlocks(document, [["blocks", 0]])
    expect(shape(done.text)).toBe("a(b) a-3(b-2) c a-2")
    expect(idsAt(done)).toEqual(["a-3"])
    expect(valueAt(valueOf(done.text), ["blocks", 1, "blocks", 0, "description"])).toBe(
      "{{a-3.x}} {{b-2.y}} {{c.z}}",
    )
    expect(valueAt(valueOf(done.text), ["blocks", 3, "description"])).toBe("{{b.y}}")
  })

  it("copies several, each group after its original", () => {
    const document = documentOf([group("a"), group("b"), group("c"), group("d")])
    const done = duplicateBlocks(document, [
      ["blocks", 0],
      ["blocks", 1],
      ["blocks", 3],
    ])
    expect(shape(done.text)).toBe("a b a-2 b-2 c d d-2")
    expect(idsAt(done)).toEqual(["a-2", "b-2", "d-2"])
  })
})

describe("adding blocks", () => {
  it("gives an id that no block, input or iterator has", () => {
    const text = JSON.stringify({
      version: 1,
      inputs: { request: { type: "string" } },
      blocks: [{ id: "l", type: "loop", iteratorVar: "request-2", blocks: [] }],
    })
    const done = addBlock(
      { text, value: valueOf(text) },
      { list: ["blocks", 0, "blocks"], index: 0 },
      newBlock("request", { apis: ["shop"] }),
    )
    expect(idsAt(done)).toEqual(["request-3"])
  })

  it("pastes blocks with their references, and keeps ids that are free", () => {
    const document = documentOf([group("a")])
    const done = addBlocks(document, { list: ["blocks"], index: Infinity }, [
      note("a", ""),
      note("b", "{{a.x}} {{b.y}}"),
    ])
    expect(shape(done.text)).toBe("a a-2 b")
    expect(valueAt(valueOf(done.text), ["blocks", 2, "description"])).toBe("{{a-2.x}} {{b.y}}")
  })
})

describe("pasting several blocks with taken ids", () => {
  it("gives each of them a different id", () => {
    const done = addBlocks(documentOf([group("a")]), { list: ["blocks"], index: 1 }, [
      note("a", "{{a-2.x}}"),
      note("a-2", "{{a.x}}"),
    ])
    expect(shape(done.text)).toBe("a a-2 a-3")
    expect(valueAt(valueOf(done.text), ["blocks", 1, "description"])).toBe("{{a-3.x}}")
    expect(valueAt(valueOf(done.text), ["blocks", 2, "description"])).toBe("{{a-2.x}}")
  })
})

describe("wrapping", () => {
  const document = documentOf([group("a"), group("b"), group("c", group("d")), group("e")])
  it("puts blocks into a container at the position of the first", () => {
    const done = wrapBlocks(
      document,
      [
        ["blocks", 3],
        ["blocks", 1],
      ],
      newBlock("loop", { apis: [] }),
    )
    expect([shape(done.text), idsAt(done)]).toEqual(["a loop(b e) c(d)", ["loop"]])
    expect(
      shape(wrapBlocks(document, [["blocks", 2, "blocks", 0]], newBlock("condition", { apis: [] })).text),
    ).toBe("a b c(condition(d)) e")
  })

  it("is undone by unwrapping, to the same bytes", () => {
    for (const kind of ["group", "loop", "condition"] as const) {
      const wrapped = wrapBlocks(
        document,
        [
          ["blocks", 1],
          ["blocks", 2],
        ],
        newBlock(kind, { apis: [] }),
      )
      const container = wrapped.selected[0] ?? []
      const done = unwrapBlock({ text: wrapped.text, value: valueOf(wrapped.text) }, container)
      expect(done.text).toBe(document.text)
      expect(idsAt(done)).toEqual(["b", "c"])
    }
  })

  it("unwraps both branches of a condition", () => {
    const branches = documentOf([{ id: "if", type: "condition", then: [group("a")], else: [group("b")] }])
    expect(shape(unwrapBlock(branches, ["blocks", 0]).text)).toBe("a b")
  })
})

describe("renaming a block", () => {
  it("updates references to it, and nothing else", () => {
    const document = documentOf([group("a"), note("b", "{{a.x}}"), note("c", "{{b.x}}")])
    expect(readingOf(document.value, "a")).toBe(1)
    const { text, reading } = renameBlock(document, ["blocks", 0], "first")
    expect(reading).toBe(1)
    expect(text).toBe(document.text.replace('"id": "a"', '"id": "first"').replace("{{a.x}}", "{{first.x}}"))
  })

  it("finds references and ids that the file writes with escapes", () => {
    const { text } = documentOf([group("start"), note("b", "{{start.x}}")])
    const escaped = text.replace("{{start.x}}", "{{\\u0073tart.x}}").replace('"b"', '"\\u0062"')
    const document = { text: escaped, value: valueOf(escaped) }
    const renamed = renameBlock(document, ["blocks", 0], "first")
    expect(valueAt(valueOf(renamed.text), ["blocks", 1, "description"])).toBe("{{first.x}}")
    expect([isTaken(document, "b"), isTaken(document, "c")]).toEqual([true, false])
  })

  it("updates nothing if two blocks have the id, because references are ambiguous", () => {
    const document = documentOf([group("a"), group("a"), note("b", "{{a.x}}")])
    const { text } = renameBlock(document, ["blocks", 1], "other")
    expect(shape(text)).toBe("a other b")
    expect(valueAt(valueOf(text), ["blocks", 2, "description"])).toBe("{{a.x}}")
  })
})

describe("any action", () => {
  const tree = fc.letrec<{ blocks: readonly JsonValue[] }>((tie) => ({
    blocks: fc.oneof(
      { maxDepth: 3 },
      fc.constant([]),
      fc.array(
        tie("blocks").map((blocks) => group("", ...blocks)),
        { minLength: 1, maxLength: 3 },
      ),
    ),
  })).blocks
  const named = (blocks: readonly JsonValue[]): Document => {
    let next = 0
    const text = JSON.stringify({ version: 1, blocks }, null, 2).replaceAll(
      '"id": ""',
      () => `"id": "b${next++}"`,
    )
    return { text, value: valueOf(text) }
  }
  const places = (value: JsonValue): readonly JsonPointer[] =>
    [...rawBlocks(value)].map(({ pointer }) => pointer())
  const ids = (value: JsonValue): readonly string[] =>
    [...rawBlocks(value)].map(({ block }) => idOf(block)).sort()

  it("keeps each block once when blocks move", () => {
    fc.assert(
      fc.property(
        tree,
        fc.array(fc.nat(), { minLength: 1, maxLength: 4 }),
        fc.nat(),
        fc.nat({ max: 3 }),
        (blocks, picks, where, index) => {
          const document = named(blocks)
          const all = places(document.value)
          if (all.length === 0) return
          const chosen = picks.map((pick) => all[pick % all.length] ?? [])
          const into = all[where % all.length] ?? []
          const done = moveBlocks(document, chosen, { list: [...into, "blocks"], index })
          if (done === undefined) return
          expect(ids(valueOf(done.text))).toEqual(ids(document.value))
          const outer = new Set(done.selected.map((block) => block.slice(0, -1).join("/")))
          expect(outer.size).toBe(1)
        },
      ),
      { numRuns: 500 },
    )
  })

  it("has unique ids after a duplicate", () => {
    fc.assert(
      fc.property(tree, fc.array(fc.nat(), { minLength: 1, maxLength: 4 }), (blocks, picks) => {
        const document = named(blocks)
        const all = places(document.value)
        if (all.length === 0) return
        const done = duplicateBlocks(
          document,
          picks.map((pick) => all[pick % all.length] ?? []),
        )
        const after = ids(valueOf(done.text))
        expect(new Set(after).size).toBe(after.length)
        expect(deleteBlocks({ text: done.text, value: valueOf(done.text) }, done.selected).text).toBe(
          document.text,
        )
      }),
      { numRuns: 300 },
    )
  })
})
