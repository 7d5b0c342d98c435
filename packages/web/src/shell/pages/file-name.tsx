// A file path with a copy button.

import { CopyButton } from "../../ui/copy-button.tsx"
import { ShownText } from "../../ui/shown-text.tsx"

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
