import { describe, expect, it } from "vitest"
import { renderText } from "./carry/render.ts"
import { mustacheText } from "./text.ts"

describe("a text with variables", () => {
  it.each([
    ["{{a}}/{{ b }}", "{{A}}/{{B}}"],
    ["{{café}} {{ é }} {{a/b}}", "{{CAFÉ}} {{É}} {{A/B}}"],
    [String.raw`\{{a}}`, String.raw`\\{{A}}`],
    [String.raw`\{{ }}`, String.raw`\\\{{ }}`],
    ["{{{a}}}", "{ {{A}}}"],
    ["{{{{a}}}}", String.raw`\{{{{A}}}}`],
    ["{a}", "{a}"],
  ])("%s is written as %s", (source, written) => {
    expect(renderText(mustacheText(source), (name) => `{{${name.toUpperCase()}}}`)).toBe(written)
  })
})
