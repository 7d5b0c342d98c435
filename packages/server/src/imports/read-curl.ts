// Reads a curl command as the content of a saved request. It passes the import, which replaces secrets by placeholders.

import { isJsonObject, parseJson, type JsonObject, type PlannedFile } from "@callsheet/format"
import { findEnvironments } from "@callsheet/project"
import type { CurlView, Input } from "../calls/index.ts"
import type { PreviewImport } from "./preview-in-thread.ts"
import type { ImportJob } from "./work-out-import.ts"

type Given = Omit<ImportJob, "input"> & {
  readonly input: Input<"imports.readCurl">
  readonly previewImport: PreviewImport
}

/** Plans to save the request, and returns what would be saved. Throws if the text isn't one request. */
export async function readCurlCommand({ input, previewImport, ...project }: Given): Promise<CurlView> {
  const { api, text } = input
  const { files, view } = await previewImport({
    ...project,
    input: { sources: [{ name: "curl", text }], api, saved: {} },
  })
  if (view.request === undefined) throw new Error("a saved request was planned without its name")
  const { resource, name, environment } = view.request
  const saved = files.find(({ file }) => file.endsWith(`/requests/${resource}/${name}.json`))
  const { version: _, ...request } = contentOf(saved)
  const values = files.find(({ file }) => file.endsWith(`/environments/${environment}.json`))
  const known = findEnvironments(project.root).find((own) => own.api === view.api)
  const baseUrl = contentOf(values)["baseUrl"] ?? known?.environments.get(environment)?.values.get("baseUrl")
  return {
    request,
    baseUrl: typeof baseUrl === "string" ? baseUrl : undefined,
    secrets: files.flatMap((file) =>
      file.is === "secrets" ? Object.entries(file.values).map(([name, value]) => ({ name, value })) : [],
    ),
    losses: view.losses,
  }
}

function contentOf(file: PlannedFile | undefined): JsonObject {
  const parsed = file?.is === "text" ? parseJson(file.text) : undefined
  return parsed?.ok === true && isJsonObject(parsed.value) ? parsed.value : {}
}
