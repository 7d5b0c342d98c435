// Asks before a script is deleted. Enter cancels.

import type { ScriptId } from "@callsheet/server/calls"
import { FormDialog } from "../ui/form-dialog.tsx"
import { useSubmit } from "../ui/use-submit.ts"
import { BlockUses } from "../files/block-uses.tsx"
import { ShownText } from "../ui/shown-text.tsx"
import { deleteScript } from "./script-files.ts"

interface Props {
  readonly id: ScriptId
  readonly onClose: () => void
}

export function DeleteScriptDialog({ id, onClose }: Props) {
  const submit = useSubmit()
  return (
    <FormDialog
      title="Delete the script?"
      submit={submit}
      does="Delete"
      isDanger
      onSubmit={() => submit.run(() => deleteScript(id).then(onClose))}
      onClose={onClose}
    >
      <p>
        This deletes{" "}
        <code className="wrap">
          <ShownText text={`${id.script}.ts`} />
        </code>{" "}
        and its unsaved changes.
      </p>
      <BlockUses file={{ kind: "script", ...id }} />
    </FormDialog>
  )
}
