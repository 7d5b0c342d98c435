// The HTTP method of an operation, as a colored word.

import { ShownText } from "./shown-text.tsx"

const known = new Set(["GET", "POST", "PUT", "PATCH", "DELETE"])

export function MethodBadge({ method }: { readonly method: string }) {
  const kind = known.has(method) ? method.toLowerCase() : "other"
  return (
    <span className={`method method-${kind}`}>
      <ShownText text={method} />
    </span>
  )
}
