// The method of an operation: told by its word, and by colour beside it.

import { ShownText } from "../text/shown-text.tsx"

const known = new Set(["GET", "POST", "PUT", "PATCH", "DELETE"])

export function MethodBadge({ method }: { readonly method: string }) {
  const kind = known.has(method) ? method.toLowerCase() : "other"
  return (
    <span className={`method method-${kind}`}>
      <ShownText text={method} />
    </span>
  )
}
