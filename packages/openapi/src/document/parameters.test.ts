import { expect, it } from "vitest"
import { describeVersions, operationOf } from "../testing/document-of.ts"
import { parametersOf } from "./parameters.ts"

describeVersions("the parameters of an operation", (version, as) => {
  const query = (name: string, more: object = {}) => ({ name, in: "query", ...more })
  const reference = (name: string) => ({ $ref: `#/components/parameters/${name}` })
  const pipes = { style: "pipeDelimited" }

  it("are those of the path and the operation, where the operation's win", async () => {
    const { operation } = await operationOf(
      { parameters: [query("q", { allowReserved: true }), reference("P"), query("r")] },
      {
        version,
        as,
        item: {
          parameters: [
            query("q"),
            { name: "q", in: "header" },
            { name: "id", in: "path" },
            query("p"),
            reference("R"),
          ],
        },
        components: { parameters: { P: query("p", pipes), R: query("r", pipes) } },
      },
    )
    expect(
      parametersOf(operation).map((one) => [
        one.in,
        one.name,
        one.style,
        one.explode,
        one.allowReserved,
        one.required,
      ]),
    ).toEqual([
      ["query", "q", "form", version !== "2.0", true, false],
      ["header", "q", "simple", false, false, false],
      ["path", "id", "simple", false, false, true],
      ["query", "p", "pipeDelimited", false, false, false],
      ["query", "r", "form", version !== "2.0", false, false],
    ])
  })

  it("that occur twice are the last of them", async () => {
    const { operation } = await operationOf({ parameters: [query("p"), query("p", pipes)] }, { version, as })
    expect(parametersOf(operation)).toMatchObject([pipes])
  })

  it("skip what is not a parameter", async () => {
    const parameters = [reference("Gone"), { name: "x", in: "constructor" }, { in: "query" }, 3]
    const { operation } = await operationOf({ parameters }, { version, as })
    expect(parametersOf(operation)).toEqual([])
  })
})
