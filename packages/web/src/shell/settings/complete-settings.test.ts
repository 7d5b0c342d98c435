import { CompletionContext } from "@codemirror/autocomplete"
import { json } from "@codemirror/lang-json"
import { EditorState, type TransactionSpec } from "@codemirror/state"
import type { EditorView } from "@codemirror/view"
import { describe, expect, it } from "vitest"
import { reporterNames } from "@callsheet/format"
import type { ProjectView } from "@callsheet/server/calls"
import { completeSettings } from "./complete-settings.ts"

const project: ProjectView = {
  revision: 1,
  name: "webshop",
  apis: [{ name: "shop", environments: [{ name: "local", level: "local" }], requests: [] }],
  workflows: [
    { name: "browse", apis: [] },
    { name: "checkout", apis: [] },
  ],
}

/** Completes at the `|` in a text. */
function complete(marked: string, explicit = false) {
  const pos = marked.indexOf("|")
  const state = EditorState.create({ doc: marked.replace("|", ""), extensions: json() })
  return { state, result: completeSettings(new CompletionContext(state, pos, explicit), project) }
}

const offered = (marked: string, explicit = false): readonly string[] =>
  complete(marked, explicit).result?.options.map(({ label }) => label) ?? []

/** Returns the text after picking an option, with the cursor as `|`. */
function picked(marked: string, label: string): string {
  const { state, result } = complete(marked, true)
  const option = result?.options.find((each) => each.label === label)
  if (result === null || typeof option?.apply !== "function") throw new Error(`not offered: ${label}`)
  let next = state
  const view = { state, dispatch: (spec: TransactionSpec) => (next = state.update(spec).state) }
  option.apply(view as unknown as EditorView, option, result.from, result.to ?? result.from)
  const { head } = next.selection.main
  return `${next.sliceDoc(0, head)}|${next.sliceDoc(head)}`
}

describe("completion in callsheet.json", () => {
  it("offers the fields that an object does not have yet", () => {
    expect(offered('{ "version": 1, "|" }')).toEqual([
      "$schema",
      "defaults",
      "maxDocumentSize",
      "documents",
      "traceUrl",
      "sources",
      "helpers",
      "snapshots",
      "streams",
      "suites",
    ])
    expect(offered('{ "suites": { "a": { "workflows": [], "|" } } }')).toEqual([
      "description",
      "before",
      "finally",
      "env",
    ])
    expect(offered('{ "suites": { "a": { "workflows": [{ "finally": [{ "|" }] }] } } }')).toContain("inputs")
    expect(offered('{ "suites": { "|" } }')).toEqual([])
  })

  it("offers names of the project where the file names something", () => {
    const suite = (text: string) => `{ "suites": { "a": { ${text} } } }`
    expect(offered(suite('"workflows": ["|"]'))).toEqual(["browse", "checkout"])
    expect(offered(suite('"before": [{ "workflow": "|" }]'))).toEqual(["browse", "checkout"])
    expect(offered(suite('"workflows": [{ "as": "|" }]'))).toEqual([])
    expect(offered(suite('"env": { "|" }'))).toEqual(["shop"])
    expect(offered(suite('"env": { "shop": "|" }'))).toEqual(["local"])
    expect(offered('{ "defaults": { "reporters": ["|"] } }')).toEqual([
      ...reporterNames,
      "otlp=http://localhost:4318",
    ])
  })

  it("offers something outside of quotes only if asked to", () => {
    expect(offered("{ | }")).toEqual([])
    expect(offered("{ | }", true)).toContain("version")
    expect(offered('{ "suites": { "a": { "workflows": [|] } } }', true)).toEqual(["browse", "checkout"])
    expect(offered('{ "version": 1| }')).toEqual([])
    expect(offered('{ "version"|: 1 }')).toEqual([])
  })

  it("inserts a field with a value to type in, and keeps a value that is there", () => {
    expect(picked('{ "su|" }', "suites")).toBe('{ "suites": {|} }')
    expect(picked("{ | }", "version")).toBe('{ "version": | }')
    expect(picked('{ "suites": { "a": { "wo|" } } }', "workflows")).toBe(
      '{ "suites": { "a": { "workflows": [|] } } }',
    )
    expect(picked('{ "d|": { "jobs": 2 } }', "defaults")).toBe('{ "defaults"|: { "jobs": 2 } }')
    expect(picked('{ "suites": { "a": { "workflows": ["br|x"] } } }', "checkout")).toBe(
      '{ "suites": { "a": { "workflows": ["checkout"|] } } }',
    )
  })
})
