// The words for what changes of documents mean for a project, for the command and the app.

import { plural } from "@callsheet/format"
import type { ImpactClass } from "./assess.ts"

export const impactTexts = {
  counts: (counts: Readonly<Record<ImpactClass, number>>, against: string) =>
    `compared with ${against}: ${plural(counts.breaks, "change")} ${counts.breaks === 1 ? "breaks" : "break"} something here, ` +
    `${counts.unused} could break others, ${counts.compatible} compatible`,
  heading: (is: ImpactClass) => headings[is],
  moreUses: (more: number) => `and ${plural(more, "more place")}`,
}

const headings: { readonly [C in ImpactClass]: string } = {
  breaks: "changes that break workflows",
  unused: "changes that could break others, but nothing here depends on them",
  compatible: "compatible changes",
}
