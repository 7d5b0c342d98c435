// The blocks that use a script or saved request that the user is about to delete.

import { useQuery } from "@tanstack/react-query"
import type { FileUse, NamedFile } from "@callsheet/server/calls"
import { call } from "../connection/call.ts"
import { fileKey } from "./file-key.ts"
import { ShownText } from "../ui/shown-text.tsx"
import { count } from "../ui/formats.ts"

/** The maximum number of workflows to show, and of blocks in each. */
const MAX_SHOWN = 8

export function BlockUses({ file }: { readonly file: NamedFile }) {
  const { data, isError } = useQuery({
    queryKey: ["uses", fileKey(file)],
    queryFn: () => call("files.uses", { file }),
    gcTime: 0,
  })
  if (isError) return <p>Could not find out which blocks use it.</p>
  if (data === undefined) return <p>Looking for blocks that use it…</p>
  if (data.uses.length === 0) return <p>No block uses it.</p>
  const blocks = data.uses.reduce((sum, use) => sum + use.blocks.length, 0)
  return (
    <div className="block-uses">
      <p>{count(blocks, "block uses", "blocks use")} it and can't run without it:</p>
      <ul className="plan-notes" aria-label="Blocks that use it">
        {data.uses.slice(0, MAX_SHOWN).map((use) => (
          <Use key={use.workflow} use={use} />
        ))}
        {data.uses.length > MAX_SHOWN ? (
          <li>and {count(data.uses.length - MAX_SHOWN, "more workflow")}</li>
        ) : null}
      </ul>
    </div>
  )
}

function Use({ use: { workflow, blocks } }: { readonly use: FileUse }) {
  return (
    <li>
      <ShownText text={workflow} />: <ShownText text={blocks.slice(0, MAX_SHOWN).join(", ")} />
      {blocks.length > MAX_SHOWN ? ` and ${count(blocks.length - MAX_SHOWN, "more block")}` : ""}
    </li>
  )
}
