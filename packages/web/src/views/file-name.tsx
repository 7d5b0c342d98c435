// A file path with a copy button.

import { CopyButton } from "../parts/copy-button.tsx"
import { ShownText } from "../text/shown-text.tsx"

export function FileName({ path }: { readonly path: string }) {
  return (
    <span className="file-name">
      <code className="wrap">
        <ShownText text={path} />
      </code>
      <CopyButton text={path} what="the path" />
    </span>
  )
}
