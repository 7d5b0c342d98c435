// Asks before scripts run that the user hasn't approved, or that have changed since. Links to their text.

import { fileAt, type TrustQuestion, type UnknownScript } from "@callsheet/server/calls"
import { FormDialog } from "../ui/form-dialog.tsx"
import { useSubmit } from "../ui/use-submit.ts"
import { RouteLink } from "../routes/route-link.tsx"
import { routeOfFile } from "../shell/search/entries.ts"
import { count } from "../ui/count.ts"
import { ShownText } from "../ui/shown-text.tsx"
import type { QuestionProps } from "./questions.ts"

export function TrustDialog({ question, onCancel, onConfirm }: QuestionProps<TrustQuestion>) {
  const { scripts, confirmation } = question
  const submit = useSubmit()
  return (
    <FormDialog
      title={scripts.every(({ isNew }) => isNew) ? "Run new scripts?" : "Run changed scripts?"}
      submit={submit}
      does={`I trust ${scripts.length === 1 ? "it" : "them"}, run`}
      isDanger
      onSubmit={() => onConfirm(confirmation)}
      onClose={onCancel}
    >
      <p>
        The workflow runs {count(scripts.length, "script")} that you have not approved. A script is a program:
        it can read your files and use the network as you can.
      </p>
      <ul className="confirm-scripts">
        {scripts.map((script) => (
          <Script key={script.path} script={script} onLook={onCancel} />
        ))}
      </ul>
    </FormDialog>
  )
}

interface ScriptProps {
  readonly script: UnknownScript
  readonly onLook: () => void
}

function Script({ script: { path, isNew }, onLook }: ScriptProps) {
  const file = fileAt(path)
  return (
    <li>
      <span className="tag">{isNew ? "new" : "changed"}</span>{" "}
      {file === undefined ? (
        <code>
          <ShownText text={path} />
        </code>
      ) : (
        <span onClick={onLook}>
          <RouteLink to={routeOfFile(file)}>
            <ShownText text={path} />
          </RouteLink>
        </span>
      )}
    </li>
  )
}
