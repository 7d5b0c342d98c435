// Asks before a script is deleted: Cancel is what Enter does.

import type { ScriptCallView } from "../../api.ts"
import { FormDialog } from "../parts/form-dialog.tsx"
import { useSubmit } from "../parts/use-submit.ts"
import { count } from "../text/count.ts"
import { ShownText } from "../text/shown-text.tsx"
import { deleteScript, type ScriptId } from "./script-files.ts"

interface Props {
  readonly id: ScriptId
  readonly calls: readonly ScriptCallView[]
  readonly onClose: () => void
}

export function DeleteScriptDialog({ id, calls, onClose }: Props) {
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
        <code className="wrap">
          <ShownText text={`${id.script}.ts`} />
        </code>{" "}
        is deleted, with what is not saved of it.{" "}
        {calls.length === 0
          ? "No block calls it."
          : `${count(calls.length, "block calls", "blocks call")} it, and cannot run without it.`}
      </p>
    </FormDialog>
  )
}
