// The APIs of a project with their documents, for what is asked of them again and again: each is kept as it was read last.

import type { ApiSource } from "@callsheet/language"
import { createKept } from "./kept.ts"
import type { Dated, Moments } from "./moments.ts"
import { readOneApi } from "./read-parts.ts"

/** Throws `api-unknown`. Without a document where it has none, or none that can be read. */
export type ApiSources = (api: string) => Promise<ApiSource>

export function createApiSources(root: string, moments: Moments): ApiSources {
  const kept = createKept((api) => readSource(root, api, moments))
  return (api) => kept(moments.revision(), api)
}

async function readSource(root: string, name: string, moments: Moments): Promise<Dated<ApiSource>> {
  const { revision, value: project } = await moments.read(() => readOneApi(root, name))
  const api = project.apis.get(name)
  if (api === undefined) throw new Error("an API that was asked for was not read")
  if (api.document === undefined) return { revision, value: { api } }
  const { createOutlineStore, readDocument } = await import("./loaded-late.ts")
  const { document } = await readDocument(api.document, {
    readFile: api.readFile,
    outlines: createOutlineStore(),
  })
  return { revision, value: { api, ...(document === undefined ? {} : { document }) } }
}
