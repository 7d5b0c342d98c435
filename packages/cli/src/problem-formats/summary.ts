// What a check came to, in one line.

import { plural } from "../text/measures.ts"
import type { ValidationCounts } from "./problem-format.ts"

/** `3 errors, 1 warning in 2 files; 8 workflows, 2 APIs, 5 environments checked` */
export function summarize(counts: ValidationCounts): string {
  const { workflows, apis, environments } = counts
  const checked = [
    plural(workflows, "workflow"),
    plural(apis, "API"),
    plural(environments, "environment"),
  ].join(", ")
  return `${found(counts)}; ${checked} checked`
}

function found({ errors, warnings, files, allowedWarnings }: ValidationCounts): string {
  const parts = [
    ...(errors > 0 ? [plural(errors, "error")] : []),
    ...(warnings > 0 ? [plural(warnings, "warning")] : []),
  ]
  if (parts.length === 0) return "no problems"
  const limit = allowedWarnings === undefined ? "" : ` (more than the ${allowedWarnings} allowed)`
  return `${parts.join(", ")}${limit} in ${plural(files, "file")}`
}
