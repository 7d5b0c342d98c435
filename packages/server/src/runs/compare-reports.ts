// Compares the reports of two runs with the contracts of the project.

import { createOutlineStore } from "@callsheet/engine"
import {
  compareRuns,
  responseDifferences,
  serviceAddresses,
  type BlockReport,
  type DescribedResponse,
  type Report,
} from "@callsheet/format"
import { describeResponse, findOperationByUrl, readDocument, type OpenApiDocument } from "@callsheet/openapi"
import type { RunComparison } from "../calls/index.ts"
import { readPart } from "../project/read-parts.ts"

/** Compares the first run of each report. */
export async function compareReports(root: string, before: Report, after: Report): Promise<RunComparison> {
  const [[own], [other]] = [before.runs, after.runs]
  if (own === undefined || other === undefined) return { blocks: [] }
  const { apis } = readPart(root, { workflows: [], apis: "all" })
  const documents: { readonly baseUrl: string; readonly document: OpenApiDocument }[] = []
  for (const [name, { baseUrl }] of Object.entries(own.environments)) {
    const { document: source, readFile } = apis.get(name) ?? {}
    if (baseUrl === undefined || source === undefined) continue
    const { document } = await readDocument(source, { readFile, outlines: createOutlineStore() })
    if (document !== undefined) documents.push({ baseUrl, document })
  }
  const contractOf = ({ request, response }: BlockReport): DescribedResponse | undefined => {
    if (request === undefined || response === undefined) return undefined
    for (const { document, baseUrl } of documents) {
      const operation = findOperationByUrl(document, { ...request, baseUrl })
      if (operation !== undefined) return describeResponse(operation, response)
    }
    return undefined
  }
  const services = [serviceAddresses(own), serviceAddresses(other)] as const
  const blocks = compareRuns(own, other).flatMap((row) => {
    const differences = responseDifferences(row, {
      described: row.before && contractOf(row.before),
      services,
    })
    return differences.length === 0 ? [] : [{ key: row.key, differences }]
  })
  return { blocks }
}
