// Shown if the target of a route doesn't exist.

import { RouteLink } from "../../routes/route-link.tsx"
import { ShownText } from "../../ui/shown-text.tsx"

export function Missing({ what, name }: { readonly what: string; readonly name: string }) {
  return (
    <div className="view">
      <h1>Not in the project</h1>
      <p>
        The {what}{" "}
        <strong className="wrap">
          <ShownText text={name} />
        </strong>{" "}
        does not exist. It reappears as soon as its file does.
      </p>
      <p>
        <RouteLink to={{ kind: "overview" }}>Go to the overview</RouteLink>
      </p>
    </div>
  )
}
