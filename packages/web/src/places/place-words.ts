// A place in words, as its view is headed: for the title of the window, and for those who do not see that it is another.

import type { Place } from "./place.ts"

/** Names of the project alone, first of all what tells it from other places. */
export function placeWords(place: Place): readonly string[] {
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
