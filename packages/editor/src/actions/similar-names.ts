// Replaces a misspelled name by the only similar one: the answer to every "did you mean".

import { changeText, createProblemMaker } from "@callsheet/format"
import { repairOf } from "@callsheet/language"
import { readReplacement } from "../diagnostics/diagnostic-data.ts"
import type { Offer, Offering } from "./action.ts"

export const replaceSimilarName: Offering = ({ diagnostics, place: { file } }) =>
  diagnostics.flatMap((diagnostic): Offer[] => {
    const placed = readReplacement(diagnostic.data)
    if (placed === undefined) return []
    const { pointer, within, ...replacement } = placed
    // The text may have changed since the client received the problem, so look for the name again.
    const found = createProblemMaker({ file: file.path, text: file.text })(
      pointer,
      replacement.is === "key" ? "key" : "value",
      { code: "field-value", message: "", replacement },
      within,
    )
    const repair = repairOf(found)
    if (repair === undefined) return []
    return [
      {
        title: `Replace "${replacement.from}" by "${replacement.to}"`,
        kind: "quickfix",
        diagnostic,
        isPreferred: true,
        texts: [{ file: file.path, before: file.text, after: changeText(file.text, [repair.change]) }],
      },
    ]
  })
