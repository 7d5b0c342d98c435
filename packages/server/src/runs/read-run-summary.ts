// JSON -> what is said of a kept run: another program may have written the file.

import {
  isEnvironmentName,
  isJsonObject,
  isWorkflowName,
  type JsonValue,
  type RunStatus,
} from "@callsheet/format"
import type { RunPart, RunSummary } from "../calls/index.ts"

const statuses: readonly RunStatus[] = ["passed", "failed", "error"]

/** Undefined where it is none of the run of this name. */
export function readRunSummary(value: JsonValue, run: string): RunSummary | undefined {
  if (!isJsonObject(value) || value["run"] !== run) return undefined
  const { workflow, startedAt, status, durationMs, environments } = value
  const known = statuses.find((each) => each === status)
  if (typeof workflow !== "string" || !isWorkflowName(workflow)) return undefined
  if (typeof startedAt !== "string" || typeof durationMs !== "number" || known === undefined) return undefined
  if (environments === undefined || !isEnvironments(environments)) return undefined
  const part = readPart(value["part"])
  return {
    run,
    workflow,
    startedAt,
    status: known,
    durationMs,
    environments,
    ...(value["isStopped"] === true ? { isStopped: true } : {}),
    part,
  }
}

function readPart(value: JsonValue | undefined): RunPart | undefined {
  if (value === undefined || !isJsonObject(value)) return undefined
  const { until, only } = value
  if (typeof only === "string") return { only }
  return typeof until === "string" ? { until } : undefined
}

const isEnvironments = (value: JsonValue): value is Readonly<Record<string, string>> =>
  isJsonObject(value) &&
  Object.values(value).every((name) => typeof name === "string" && isEnvironmentName(name))
