// Part of a file, or a command, with a button to copy it.

import { visibleLines } from "./visible-text.ts"
import { CopyButton } from "./copy-button.tsx"

export function CodeBlock({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <div className="code-block">
      <pre tabIndex={0} role="group" aria-label={what}>
        <code>{visibleLines(text)}</code>
      </pre>
      <CopyButton text={text} what={what} />
    </div>
  )
}
