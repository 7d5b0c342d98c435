// What is wrong with a text by itself, as the format of its kind: what stops a save, and no more.

import { checkSavedRequest, checkWorkflow, type Problem, type SourceFile } from "@callsheet/format"
import { readEnvironmentsWith } from "@callsheet/project"
import type { FileName } from "../calls/index.ts"
import { problemsOfScript, type ScriptParser } from "./script-parser.ts"

export interface TextCheck {
  /** Absolute path of the project. */
  readonly root: string
  readonly file: FileName
  readonly source: SourceFile
  readonly parser: ScriptParser
}

/** Errors and warnings, by place. */
export async function checkText({ root, file, source, parser }: TextCheck): Promise<readonly Problem[]> {
  switch (file.kind) {
    case "workflow":
      return checkWorkflow(source).problems
    case "request":
      return checkSavedRequest(source).problems
    case "script":
      return problemsOfScript(source, await parser.describe(source.text))
    case "schema":
    case "environment":
      // It is read with the files beside it; what is wrong with those is not said.
      return readEnvironmentsWith(root, file.api, source).problems.filter((one) => one.file === source.file)
  }
}
