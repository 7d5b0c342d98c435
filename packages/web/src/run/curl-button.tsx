// Copies a request as a curl command. Lists the parts that the command can't express.

import { useState } from "react"
import type { BodyType, RequestView } from "@callsheet/format"
import { curlLine } from "./curl-line.ts"

interface Props {
  readonly request: RequestView
  readonly bodyType?: BodyType | undefined
}

const words = {
  copied: "Copied.",
  masked: "Copied. Replace each *** with the secret.",
  impossible: "curl can't send this body from one line.",
  refused: "The browser blocked copying.",
} as const

export function CurlButton({ request, bodyType }: Props) {
  const [result, setResult] = useState<keyof typeof words>()
  const copy = (): void => {
    const made = curlLine(request, bodyType)
    if (made === undefined) return setResult("impossible")
    navigator.clipboard.writeText(made.line).then(
      () => setResult(made.hasSecrets ? "masked" : "copied"),
      () => setResult("refused"),
    )
  }
  return (
    <span className="curl">
      <span className="field-note" role="status">
        {result === undefined ? "" : words[result]}
      </span>
      <button type="button" className="button" onClick={copy}>
        Copy as cURL
      </button>
    </span>
  )
}
