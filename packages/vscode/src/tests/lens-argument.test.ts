import { describe, expect, it } from "vitest"
import { readLensArgument } from "./lens-argument.ts"

describe("the argument of callsheet.run", () => {
  it("may name environments as a list or by API", () => {
    const named = { project: "/p", workflow: "w" }
    expect(readLensArgument({ ...named, environments: { shop: "local" }, until: "b" })).toEqual({
      ...named,
      until: "b",
      environments: ["shop=local"],
    })
    expect(readLensArgument({ ...named, environments: ["local", 1] })?.environments).toEqual(["local"])
    expect(readLensArgument(named)).toEqual({ ...named, until: undefined, environments: undefined })
  })

  it.each([{ environments: [] }, { environments: {} }, { environments: "local" }])(
    "names no environment with %j, so the chosen one counts",
    (given) =>
      expect(readLensArgument({ project: "/p", workflow: "w", ...given })?.environments).toBeUndefined(),
  )

  it.each([undefined, null, 1, [], {}, { project: "/p" }, { project: 1, workflow: "w" }])(
    "is refused if it is %j",
    (argument) => expect(readLensArgument(argument)).toBeUndefined(),
  )
})
