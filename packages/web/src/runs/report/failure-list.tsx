// Failures as lines: the block, with a link to it in the editor, and the reason.

import { hashOfBlock } from "../../routes/route.ts"
import { LongText, ShownText } from "../../ui/shown-text.tsx"
import { showPart } from "../../routes/workflow-part.ts"
import type { RunFailure } from "./failures.ts"

export const FailureList = ({ failures }: { readonly failures: readonly RunFailure[] }) => (
  <ul className="failure-lines">
    {failures.map(({ entry, block, message }, index) => (
      <li key={index} className="failure-line">
        {entry === undefined ? null : <ShownText text={`${entry} `} />}
        {block === undefined ? null : (
          <a
            className="link"
            href={hashOfBlock(block.workflow, block.id)}
            onClick={() => {
              showPart(block.workflow, "editor")
              // The address is written a moment after a selection, so it may still name this block.
              if (window.location.hash === hashOfBlock(block.workflow, block.id))
                window.dispatchEvent(new HashChangeEvent("hashchange"))
            }}
          >
            <code>
              <ShownText text={block.id} />
            </code>
          </a>
        )}{" "}
        <LongText text={message} />
      </li>
    ))}
  </ul>
)
