// The route of the page: a value, and the part of the address after `#`.

import { BASELINE_FILE, PROJECT_FILE } from "@callsheet/format"
import type { FileName } from "@callsheet/server/calls"

export type Route =
  | { readonly kind: "overview" }
  | { readonly kind: "problems" }
  /** Sends a URL or a curl command without a file. */
  | { readonly kind: "send" }
  /** `callsheet.json`. */
  | { readonly kind: "settings" }
  /** `callsheet.baseline.json`. */
  | { readonly kind: "baseline" }
  | { readonly kind: "suite"; readonly suite: string }
  | { readonly kind: "api"; readonly api: string }
  /** What the uncommitted changes of an API's document break. */
  | { readonly kind: "impact"; readonly api: string }
  | { readonly kind: "operation"; readonly api: string; readonly method: string; readonly path: string }
  | { readonly kind: "environments"; readonly api: string }
  | { readonly kind: "environment"; readonly api: string; readonly environment: string }
  /** The text of an environment file. Without an environment, the schema. */
  | { readonly kind: "environment-text"; readonly api: string; readonly environment?: string | undefined }
  | { readonly kind: "request"; readonly api: string; readonly resource: string; readonly request: string }
  | { readonly kind: "workflow"; readonly workflow: string }
  /** `script` has no `.ts` and may include directories. */
  | { readonly kind: "script"; readonly workflow: string; readonly script: string }

/** Such as `#/apis/shop/environments/staging`. */
export function hashOf(route: Route): string {
  return `#/${segmentsOf(route).map(encode).join("/")}`
}

function segmentsOf(route: Route): readonly string[] {
  switch (route.kind) {
    case "overview":
      return []
    case "problems":
      return ["problems"]
    case "send":
      return ["send"]
    case "settings":
      return ["settings"]
    case "baseline":
      return ["baseline"]
    case "suite":
      return ["suites", route.suite]
    case "api":
      return ["apis", route.api]
    case "impact":
      return ["apis", route.api, "impact"]
    case "operation":
      return ["apis", route.api, "operations", route.method, route.path]
    case "environments":
      return ["apis", route.api, "environments"]
    case "environment":
      return ["apis", route.api, "environments", route.environment]
    case "environment-text":
      return [
        "apis",
        route.api,
        "environment-text",
        ...(route.environment === undefined ? [] : [route.environment]),
      ]
    case "request":
      return ["apis", route.api, "requests", route.resource, route.request]
    case "workflow":
      return ["workflows", route.workflow]
    case "script":
      return ["workflows", route.workflow, "scripts", route.script]
  }
}

/** Returns the route of a file's form, or of its text if `isText`. */
export function routeOfFile(file: FileName, isText = true): Route {
  if (file.kind === "project") return { kind: "settings" }
  if (file.kind === "baseline") return { kind: "baseline" }
  if (file.kind === "schema" || (file.kind === "environment" && isText))
    return { ...file, kind: "environment-text" }
  return file
}

/** Names a block in the editor of a workflow, such as `#/workflows/checkout/blocks/login`. */
export const hashOfBlock = (workflow: string, block: string): string =>
  `${hashOf({ kind: "workflow", workflow })}/blocks/${encode(block)}`

/** Returns the id of the block that a hash names. */
export function blockOf(hash: string): string | undefined {
  const [group, , part, block] = hash.replace(/^#\/?/, "").split("/").map(decode)
  return group === "workflows" && part === "blocks" && block !== "" ? block : undefined
}

/** Returns the overview for an unknown hash. */
export function routeOf(hash: string): Route {
  const [group, name, part, ...rest] = hash.replace(/^#\/?/, "").split("/").map(decode)
  if (group === "problems" || group === "settings" || group === "baseline" || group === "send")
    return { kind: group }
  if (name === undefined || name === "") return { kind: "overview" }
  if (group === "suites") return { kind: "suite", suite: name }
  if (group === "workflows") return routeInWorkflow(name, part, rest)
  return group === "apis" ? routeInApi(name, part, rest) : { kind: "overview" }
}

const routeInWorkflow = (workflow: string, part: string | undefined, [script]: readonly string[]): Route =>
  part === "scripts" && script !== undefined && script !== ""
    ? { kind: "script", workflow, script }
    : { kind: "workflow", workflow }

function routeInApi(api: string, part: string | undefined, [first, second]: readonly string[]): Route {
  if (part === "environments") return environmentRoute(api, first)
  if (part === "environment-text") return { kind: part, api, environment: first === "" ? undefined : first }
  if (part === "impact") return { kind: part, api }
  if (first === undefined || second === undefined) return { kind: "api", api }
  if (part === "operations") return { kind: "operation", api, method: first, path: second }
  return part === "requests"
    ? { kind: "request", api, resource: first, request: second }
    : { kind: "api", api }
}

const environmentRoute = (api: string, environment: string | undefined): Route =>
  environment === undefined || environment === ""
    ? { kind: "environments", api }
    : { kind: "environment", api, environment }

/** A file name may contain an unpaired surrogate, which an address can't. */
const encode = (segment: string): string => encodeURIComponent(segment.replace(/\p{Cs}/gu, "\ufffd"))

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/**
 * Describes a route for the window title and for screen readers. Returns names of the project only, the most specific
 * one first.
 */
export function routeWords(route: Route): readonly string[] {
  switch (route.kind) {
    case "overview":
      return []
    case "problems":
      return ["Problems"]
    case "send":
      return ["Send a URL"]
    case "settings":
      return [PROJECT_FILE]
    case "baseline":
      return [BASELINE_FILE]
    case "suite":
      return [route.suite, PROJECT_FILE]
    case "api":
      return [route.api]
    case "impact":
      return ["Document changes", route.api]
    case "operation":
      return [`${route.method} ${route.path}`, route.api]
    case "environments":
      return ["Environments", route.api]
    case "environment":
      return [route.environment, route.api]
    case "environment-text":
      return [route.environment ?? "schema", route.api]
    case "request":
      return [route.request, route.resource, route.api]
    case "workflow":
      return [route.workflow]
    case "script":
      return [route.script, route.workflow]
  }
}
