// Drafts that have come to hold a secret: a text of environments is none any more, and another one is on no disk.

import type { FileName } from "../calls/index.ts"
import type { KeptOutside, NewSecrets } from "../secrets/kept-outside.ts"
import type { Desk } from "./desk.ts"
import type { Drafts } from "./drafts.ts"
import { placeOf } from "./file-parts.ts"
import { holdsSecret } from "./holds-secret.ts"

export function createDraftHiding(drafts: Drafts): KeptOutside {
  return {
    notes: async (secrets) =>
      holders(drafts, secrets).map((file) => {
        const fate = isOfEnvironments(file)
          ? "it is discarded"
          : "it is on the disk no longer, and gone with the end of the application unless you save it"
        return `The text of ${placeOf(file).file} that is not saved holds a value: ${fate}.`
      }),
    hide: async (secrets) => hide(drafts, secrets),
  }
}

/** By what is secret now: a variable may have become one by another program, or in the text of its declaration. */
export async function hideDrafts({ drafts, overview }: Desk): Promise<void> {
  if (drafts.onDisk().length === 0) return
  const { project, masker } = await overview()
  hide(drafts, { masker, variablesOf: (api) => project.apis.get(api)?.environments.variables })
}

function hide(drafts: Drafts, secrets: NewSecrets): void {
  for (const file of holders(drafts, secrets)) {
    if (isOfEnvironments(file)) drafts.drop(file)
    else drafts.hide(file)
  }
}

type EnvironmentsFile = Extract<FileName, { kind: "environment" | "schema" }>

const isOfEnvironments = (file: FileName): file is EnvironmentsFile =>
  file.kind === "environment" || file.kind === "schema"

const holders = (drafts: Drafts, { masker, variablesOf }: NewSecrets): readonly FileName[] =>
  drafts.onDisk().filter((file) => {
    const text = drafts.read(file)?.text
    if (text === undefined) return false
    if (!isOfEnvironments(file)) return masker?.occursIn(text) === true
    return holdsSecret({
      text,
      masker,
      isSchema: file.kind === "schema",
      variables: variablesOf(file.api) ?? new Map(),
    })
  })
