// Describes a route in words, for the window title and for screen readers.

import { PROJECT_FILE } from "@callsheet/format"
import type { Route } from "./route.ts"

/** Returns names of the project only, the most specific one first. */
export function routeWords(route: Route): readonly string[] {
  switch (route.kind) {
    case "overview":
      return []
    case "problems":
      return ["Problems"]
    case "settings":
      return [PROJECT_FILE]
    case "suite":
      return [route.suite, PROJECT_FILE]
    case "api":
      return [route.api]
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
