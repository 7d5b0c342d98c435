// A route in words, like the heading of its view: for the window title and for screen readers.

import type { Route } from "./place.ts"

/** Contains only names from the project, the most specific first. */
export function routeWords(place: Route): readonly string[] {
  switch (place.kind) {
    case "overview":
      return []
    case "problems":
      return ["Problems"]
    case "api":
      return [place.api]
    case "operation":
      return [`${place.method} ${place.path}`, place.api]
    case "environments":
      return ["Environments", place.api]
    case "environment":
      return [place.environment, place.api]
    case "environment-text":
      return [place.environment ?? "schema", place.api]
    case "request":
      return [place.request, place.resource, place.api]
    case "workflow":
      return [place.workflow]
    case "script":
      return [place.script, place.workflow]
  }
}
