// A block to copy, which sends the operation or saved request of the view.

import { CodeBlock } from "../ui/copy-button.tsx"
import { visibleText } from "../ui/visible-text.ts"
import { Section } from "../files/page-parts.tsx"
import { showWorkflowDialog } from "../blocks/workflow-dialog.ts"
import type { Snippet } from "./block-snippet.ts"

export function SnippetSection({ snippet }: { readonly snippet: Snippet }) {
  const names = snippet.parameters.map((name) => visibleText(name)).join(", ")
  return (
    <Section title="Call it from a workflow">
      <p className="section-words">
        Start a workflow with it, or paste it into the blocks of one.
        {names === ""
          ? ""
          : ` Replace each {{placeholder}} with a value, an input or the result of an earlier block: ${names}.`}
      </p>
      <CodeBlock text={snippet.text} what="block" />
      <p>
        <button
          type="button"
          className="button"
          onClick={() => showWorkflowDialog({ kind: "new", from: snippet.text })}
        >
          New workflow with it…
        </button>
      </p>
    </Section>
  )
}
