// Writes suites to `callsheet.json`. Each edit changes only the lines of the suite.

import { deleteJsonAt, PROJECT_FILE, setJsonAt, type EditedJson } from "@callsheet/format"
import { call } from "../../connection/call.ts"
import { throwNameTaken, UserError } from "../../connection/fault-of.ts"
import { queryClient } from "../../connection/query-client.ts"
import { suiteFields, type SuiteDraft } from "./suite-draft.ts"

const file = { kind: "project" } as const

/** Edits the text of `callsheet.json` on disk. */
export async function editSettings(edit: (text: string) => EditedJson): Promise<void> {
  const { text, etag } = await call("files.read", { file })
  await save(edit(text), etag)
}

async function save(edited: EditedJson, etag: string | null): Promise<void> {
  if (!edited.ok) throw new UserError(`${PROJECT_FILE} isn't valid JSON. Fix its text first.`)
  await call("files.save", { file, etag, text: edited.text }).catch(etag === null ? throwNameTaken : rethrow)
  await queryClient.invalidateQueries({ queryKey: ["project"] })
}

function rethrow(error: unknown): never {
  throw error
}

/** Sets the fields that the form edits, and keeps the others. `exists` tells whether the project has the file. */
export async function writeSuite(suite: string, draft: SuiteDraft, exists: boolean): Promise<void> {
  const edit = (text: string): EditedJson =>
    [...suiteFields(draft)].reduce<EditedJson>(
      (edited, [field, value]) => {
        if (!edited.ok) return edited
        const pointer = ["suites", suite, field]
        return value === undefined
          ? deleteJsonAt(edited.text, pointer)
          : setJsonAt(edited.text, pointer, value)
      },
      { ok: true, text },
    )
  if (exists) await editSettings(edit)
  else await save(edit(`${JSON.stringify({ version: 1, suites: {} }, null, 2)}\n`), null)
}
