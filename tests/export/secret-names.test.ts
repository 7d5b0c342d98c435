// `callsheet export`: a secret as a name is masked everywhere, and no member of an object gets lost.

import { describe, expect, it } from "vitest"
import { membersIn, secretNames, SECRETS } from "../harness/secret-names.ts"
import { exportFrom, projectWith } from "./export-from.ts"

/** Returns the JSON texts in the strings of a JSON text. */
const jsonTextsIn = (text: string): readonly string[] =>
  [...text.matchAll(/"(?:[^"\\]|\\.)*"/g)].flatMap(([literal]) => {
    const inner = JSON.parse(literal) as string
    return /^\s*[[{]/.test(inner) ? [inner, ...jsonTextsIn(inner)] : []
  })

/** Returns the JSON texts in a script. */
const jsonIn: Readonly<Record<string, (text: string) => readonly string[]>> = {
  curl: (text) => [...text.matchAll(/--data-raw '([[{].*?)'(?= |$)/gms)].map(([, body = ""]) => body),
  k6: (text) =>
    [...text.matchAll(/^ +(?:multipart\(.*content: )?("[[{](?:[^"\\]|\\.)*")/gm)].map(([, body = ""]) =>
      String(JSON.parse(body)),
    ),
}

describe("a secret that is a name", () => {
  it.each(["curl", "har", "postman", "arazzo", "k6"])(
    "is masked in %s, without losing a member",
    async (target) => {
      const folder = await projectWith(secretNames("http://127.0.0.1:1", { script: false }))
      const { result, text, stdout, stderr } = await exportFrom(folder, ["names", "--to", target])
      expect(
        result?.losses.map(({ what }) => what),
        stderr,
      ).toContain("secret")
      const shown = (stdout + stderr + text).toLowerCase()
      for (const secret of SECRETS) {
        expect(shown).not.toContain(secret)
        expect(shown).not.toContain(secret.replaceAll("-", "_"))
      }
      const texts = jsonIn[target]?.(text) ?? [text, ...jsonTextsIn(text)]
      expect(texts.join("\n")).toContain('"*** (2)"')
      for (const members of texts.flatMap(membersIn))
        expect(new Set(members).size, members.join()).toBe(members.length)
    },
  )

  it.each(["curl", "har", "postman", "arazzo", "k6"])("is shown in %s with --reveal", async (target) => {
    const folder = await projectWith(secretNames("http://127.0.0.1:1", { script: false }))
    const { text } = await exportFrom(folder, ["names", "--to", target, "--reveal"])
    for (const secret of SECRETS) expect(text).toContain(secret)
    expect(text).not.toContain("***")
  })
})
