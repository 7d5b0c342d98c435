// Which scripts a workflow has.

import { openProject } from "./read-project.ts"
import { listScripts } from "./read-workflow.ts"

/** Without `.ts`, sorted: `pay`, `checks/total`. The workflow itself need not be there. */
export const listScriptNames = (root: string, workflow: string): readonly string[] =>
  listScripts(openProject(root), workflow).names
