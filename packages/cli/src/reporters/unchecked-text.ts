// Says which bodies of a block weren't checked against their schemas. This is not a warning.

import { uncheckedBodies, type BlockReport } from "@callsheet/format"
import { shorten } from "../text/preview.ts"

/** Formats each body: `response unchecked: XML is only checked to be well-formed` */
export const uncheckedTexts = (report: BlockReport): readonly string[] =>
  uncheckedBodies(report).map(({ of, reason }) => `${of} unchecked: ${shorten(reason, 200)}`)
