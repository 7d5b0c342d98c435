import { describe, expect, it } from "vitest"
import { createMasker } from "../mask.ts"
import { viewHeaders } from "../view.ts"

const mask = createMasker(["s3cr3t-one", "s3cr3t-two", "s3cr3t-three"])

describe("keys of a masked object", () => {
  it.each<[string, object, object]>([
    [
      "that one mask makes alike",
      { "s3cr3t-one": 1, a: 2, "s3cr3t-two": 3 },
      { "***": 1, a: 2, "*** (2)": 3 },
    ],
    [
      "of three, in their order",
      { "x-s3cr3t-three": 1, "x-s3cr3t-two": 2, "x-s3cr3t-one": 3 },
      { "x-***": 1, "x-*** (2)": 2, "x-*** (3)": 3 },
    ],
    [
      "beside such that look masked and are not",
      { "s3cr3t-one": 1, "s3cr3t-two": 2, "***": 3, "*** (2)": 4 },
      { "*** (3)": 1, "*** (4)": 2, "***": 3, "*** (2)": 4 },
    ],
    [
      "that masking makes what counting has made",
      { "s3cr3t-one": 1, "s3cr3t-two": 2, "s3cr3t-three (2)": 3 },
      { "***": 1, "*** (2)": 2, "*** (2) (2)": 3 },
    ],
    [
      "that counting would make what masking has made",
      { "s3cr3t-three (2)": 1, "s3cr3t-one": 2, "s3cr3t-two": 3 },
      { "*** (2)": 1, "***": 2, "*** (3)": 3 },
    ],
    ["of an inner object, which counts anew", { "s3cr3t-one": { "s3cr3t-two": 1 } }, { "***": { "***": 1 } }],
  ])("stay apart: %s", (_, value, shown) => {
    const masked = mask.value(value as never)
    expect(masked).toEqual(shown)
    expect(mask.value(masked)).toEqual(shown)
  })

  it("stay apart as names of headers", () => {
    const shown = { "x-***": "1", "x-*** (2)": "2" }
    expect(viewHeaders({ "x-s3cr3t-one": "1", "x-s3cr3t-two": "2" }, mask)).toEqual(shown)
  })
})
