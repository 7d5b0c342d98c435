// Which file a call is about, and what state of it a change was made from.

import { CallsheetError } from "@callsheet/format"
import type { FileName } from "./calls/index.ts"
import { CallRefused } from "./call-refused.ts"
import { readMembers } from "./read-members.ts"
import { readText, texts, type TextRule } from "./text-rules.ts"

type PartsOf<F> = F extends FileName ? { readonly [P in Exclude<keyof F, "kind">]: TextRule } : never
type FileRules = {
  readonly [K in FileName["kind"]]: PartsOf<Extract<FileName, { readonly kind: K }>>
}

const fileRules: FileRules = {
  workflow: { workflow: texts.workflow },
  script: { workflow: texts.workflow, script: texts.script },
  request: { api: texts.api, resource: texts.request, request: texts.request },
  schema: { api: texts.api },
  environment: { api: texts.api, environment: texts.environment },
}

/** What a file is, with each part of its name held against the format's rules. */
export function readFileName(name: string, value: unknown): FileName {
  const given = readMembers(name, value)
  const kind = given.get("kind")
  if (typeof kind !== "string" || !Object.hasOwn(fileRules, kind))
    throw new CallsheetError("field-value", `${name}: there are no files of this kind`)
  const rules = Object.entries<TextRule>(fileRules[kind as FileName["kind"]])
  if (given.size !== rules.length + 1)
    throw new CallsheetError("field-unknown", `${name} must hold the parts of its kind and no others`)
  const parts = rules.map(([part, rule]) => [part, readText(rule)(`${name}.${part}`, given.get(part))])
  return Object.fromEntries([["kind", kind], ...parts]) as FileName
}

/** A change that does not say what it was made from is told so by a status of its own. */
export function readEtag(name: string, value: unknown): string | null {
  if (value === undefined)
    throw new CallRefused(428, "etag-missing", "a change must say which state of the file it was made from", {
      hint: "read the file again",
    })
  return value === null ? null : readText(texts.etag)(name, value)
}
