// What is wrong with a text by itself, as the format of its kind: what stops a save, and no more.

import {
  checkEnvironmentFiles,
  checkSavedRequest,
  checkWorkflow,
  type Problem,
  type SourceFile,
} from "@callsheet/format"
import type { FileName } from "../../api.ts"
import { checkScriptText } from "./check-script-text.ts"

export interface TextCheck {
  readonly file: FileName
  readonly source: SourceFile
  /** Of the API: what the text stands beside. */
  readonly environmentFiles: (api: string) => readonly SourceFile[]
  /** The bundled entry of the script process. */
  readonly scriptEntry: URL
}

/** Errors and warnings, by place. */
export async function checkText(check: TextCheck): Promise<readonly Problem[]> {
  const { file, source } = check
  switch (file.kind) {
    case "workflow":
      return checkWorkflow(source).problems
    case "request":
      return checkSavedRequest(source).problems
    case "script":
      return checkScriptText(source, check.scriptEntry)
    case "schema":
    case "environment":
      return checkAmongOthers(file.api, check)
  }
}

/** A value file is read with the schema, and the schema by itself: what is wrong with other files is not said. */
function checkAmongOthers(api: string, { source, environmentFiles }: TextCheck): readonly Problem[] {
  const others = environmentFiles(api).filter(({ file }) => file !== source.file)
  const { problems } = checkEnvironmentFiles({ api, files: [...others, source] })
  return problems.filter(({ file }) => file === source.file)
}
