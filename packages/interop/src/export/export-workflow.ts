// Exports a workflow to the format of another tool.

import { exportReasons as reasons } from "./messages.ts"
import { InboxReads } from "./inbox-reads.ts"
import type { ReportedLoss } from "../losses.ts"
import type { Exported, ExportSource, ExportTarget, Ref, MaskedSource, Writer } from "./model.ts"
import { Marks } from "./marks.ts"
import { readSteps } from "./read-steps.ts"
import { writeArazzo } from "./write-arazzo.ts"
import { writeCurl } from "./write-curl.ts"
import { writeHar } from "./write-har.ts"
import { writeK6 } from "./write-k6.ts"
import { writePostman } from "./write-postman.ts"

interface Target {
  readonly write: Writer
  /** True if variables and inputs stay variables. */
  readonly keepsVariables: boolean
}

const targets: { readonly [T in ExportTarget]: Target } = {
  curl: { write: writeCurl, keepsVariables: false },
  har: { write: writeHar, keepsVariables: false },
  postman: { write: writePostman, keepsVariables: true },
  arazzo: { write: writeArazzo, keepsVariables: true },
  k6: { write: writeK6, keepsVariables: true },
}

export const exportTargets = Object.keys(targets) as readonly ExportTarget[]

export interface ExportedWorkflow {
  readonly text: string
  readonly requests: number
  readonly losses: readonly ReportedLoss[]
}

/** Exports a workflow. Sends nothing. */
export async function exportWorkflow(target: ExportTarget, source: ExportSource): Promise<ExportedWorkflow> {
  const { write, keepsVariables } = targets[target]
  const losses = new Map<string, ReportedLoss>()
  const lose: Exported["lose"] = (where, what, { message, group, severity }) => {
    losses.set(JSON.stringify([where, what, message]), {
      where: source.mask(where),
      what: source.mask(what),
      reason: source.mask(message),
      group,
      severity,
    })
  }
  const fills = ({ kind, isSecret }: Ref): boolean =>
    (kind === "variable" || kind === "input") && !keepsVariables && (!isSecret || source.reveal)
  const marks = new Marks(source)
  const inbox = new InboxReads(source)
  const steps = await readSteps({ source, marks, inbox, fills, lose })
  const shown = maskedSource(withoutInbox(source, inbox), marks)
  const written = write({
    source: shown,
    steps,
    lose,
    split: (text) => marks.split(text),
    used: () => marks.used,
  })
  if (marks.hidesSecrets) lose(source.name, "secret", reasons.masked())
  return { ...written, losses: [...losses.values()] }
}

function withoutInbox(source: ExportSource, { isInbox }: InboxReads): ExportSource {
  const without = <T>(apis: ReadonlyMap<string, T>): ReadonlyMap<string, T> =>
    new Map([...apis].filter(([api]) => !isInbox(api)))
  return { ...source, environments: without(source.environments), documents: without(source.documents) }
}

function maskedSource(source: ExportSource, marks: Marks): MaskedSource {
  const { documents, environments, servers, relative, generate, reveal, workflow } = source
  const moved = [...environments].filter(([api, { variables }]) => {
    const base = variables.get("baseUrl")?.value
    return base !== undefined && base !== servers.get(api)
  })
  return {
    name: marks.name(source.name),
    onFailure: workflow.onFailure,
    inputs: marks.inputs,
    hasOneApi: environments.size === 1,
    movedApis: new Set(moved.map(([api]) => api)),
    documents: new Map([...documents].map(([api, file]) => [api, marks.name(file)])),
    relative,
    generate,
    reveal,
  }
}
