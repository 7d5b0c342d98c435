// Collects the app's responses about files. All files contain canaries.

import { canBeFound } from "./canaries.ts"
import type { Ask, CanaryTexts } from "./application.ts"
import { variableName } from "./project.ts"

const send = { kind: "workflow", workflow: "send" }
const script = { kind: "script", workflow: "send", script: "say" }
const saved = { kind: "request", api: "shop", resource: "mine", request: "first" }
const schema = { kind: "schema", api: "shop" }
const values = { kind: "environment", api: "shop", environment: "committed" }

/**
 * A text is shown unchanged, so only messages about it are checked. Short canaries are left out, because they are
 * secret only as whole values.
 */
export async function askOfFiles(ask: Ask, texts: CanaryTexts): Promise<void> {
  for (const file of [values, schema]) await ask(`files.read of the ${file.kind}`, "files.read", { file })
  const { etag } = await ask(undefined, "files.read", { file: send })
  await ask("files.list", "files.list", { workflow: "send" })
  await ask("scripts.types", "scripts.types", { workflow: "send" })
  for (const [index, text] of texts.filter(([, each]) => canBeFound(each)))
    await askOfTexts(ask, { name: variableName(index), text, etag })
  await askOfNames(ask)
}

interface PlantedText {
  readonly name: string
  readonly text: string
  readonly etag: unknown
}

/** Texts with one canary at each position where something can be wrong. */
async function askOfTexts(ask: Ask, { name, text, etag }: PlantedText): Promise<void> {
  const wrong: Readonly<Record<string, readonly [file: object, content: unknown]>> = {
    "a workflow": [send, workflowWith(text)],
    "a saved request": [saved, { version: 1, method: text, path: text, bodyType: text, [text]: text }],
    "a value file": [values, { [name]: text, [text]: text, extends: text, level: text }],
    "a schema": [schema, { version: 1, variables: { [name]: { type: text, default: text }, [text]: {} } }],
    "a script": [script, undefined],
  }
  for (const [label, [file, content]] of Object.entries(wrong)) {
    const whole =
      content === undefined ? `export const a = ${text} ${JSON.stringify(text)}` : JSON.stringify(content)
    // The truncated file doesn't parse, and the message quotes part of it.
    for (const [how, written] of Object.entries({ "": whole, " cut off": whole.slice(0, -4) })) {
      const about = `${label}${how} with ${name}`
      await ask(`files.check of ${about}`, "files.check", { file, text: written })
      await ask(`files.save of ${about}`, "files.save", {
        file,
        etag: file === send ? etag : null,
        text: written,
      })
      await ask(`drafts.keep of ${about}`, "drafts.keep", { file, etag: null, text: written })
    }
  }
  await ask(`drafts.list with ${name}`, "drafts.list", {})
}

const workflowWith = (text: string) => ({
  version: text,
  onFailure: text,
  inputs: { [text]: { type: text } },
  blocks: [
    { id: text, type: text },
    { id: "a", type: "request", request: { api: text, operation: text, overrides: { params: text } } },
    { id: "b", type: "assert", assertions: [{ source: text, operator: text, value: text }] },
    { id: "c", type: "script", script: { name: text, exportName: text }, [text]: text },
    // A transform block can't be used here: the name of its field contains a canary, which is masked in the path to
    // that position.
    { id: "d", type: "group", description: `{{${text}`, blocks: [] },
  ],
})

async function askOfNames(ask: Ask): Promise<void> {
  const written = JSON.stringify({ version: 1, method: "GET", path: "/a" })
  const { etag } = await ask("files.save", "files.save", { file: saved, etag: null, text: written })
  await ask("files.uses", "files.uses", { file: saved })
  await ask("files.places", "files.places", { of: saved })
  await ask("files.find", "files.find", { query: "a" })
  const to = { ...saved, request: "second" }
  const { plan } = await ask("files.planRename", "files.planRename", { file: saved, etag, to })
  await ask("plans.apply of a new name", "plans.apply", { plan })
  const named = { file: send, etag: null, to: { ...send, workflow: "sent" } }
  await ask("files.planRename of a workflow", "files.planRename", named)
  await ask("files.remove", "files.remove", { file: to, etag })
  for (const file of [send, saved, script, values, schema]) await ask(undefined, "drafts.drop", { file })
}
