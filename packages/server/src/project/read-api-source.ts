// An API of a project with its document.

import { createOutlineStore } from "@callsheet/engine"
import type { ApiSource } from "@callsheet/language"
import { readDocument } from "@callsheet/openapi"
import type { Dated, Moments } from "./moments.ts"
import { readOneApi } from "./read-parts.ts"

/** Throws `api-unknown`. Without a document where it has none, or none that can be read. */
export async function readApiSource(root: string, name: string, moments: Moments): Promise<Dated<ApiSource>> {
  const { revision, value: project } = await moments.read(() => readOneApi(root, name))
  const api = project.apis.get(name)
  if (api === undefined) throw new Error("an API that was asked for was not read")
  if (api.document === undefined) return { revision, value: { api } }
  const { document } = await readDocument(api.document, {
    readFile: api.readFile,
    outlines: createOutlineStore(),
  })
  return { revision, value: { api, document } }
}
