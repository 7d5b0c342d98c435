// Saves a request that was sent without a file: its API, its environment, and its secrets.

import { useEffect, useState } from "react"
import { checkFreeName, isApiName } from "@callsheet/format"
import type { ImportPreview, Input } from "@callsheet/server/calls"
import { call } from "../../connection/call.ts"
import { UserError } from "../../connection/fault-of.ts"
import { queryClient } from "../../connection/query-client.ts"
import { goTo } from "../../routes/use-route.ts"
import { sendKey } from "../../runs/send-part.tsx"
import { chooseRun } from "../../runs/state/starts.ts"
import { announce } from "../../ui/announcement.tsx"
import { FormDialog } from "../../files/form-dialog.tsx"
import { TextField } from "../../ui/form-fields.tsx"
import { useSubmit } from "../../ui/use-submit.ts"
import { ImportFiles } from "./import-files.tsx"

interface Props {
  /** The URL or the curl command. */
  readonly text: string
  /** The run whose response stays with the saved request. */
  readonly run: string
  readonly onClose: () => void
}

interface Names {
  readonly api: string
  readonly name: string
}

export function SaveTriedDialog({ text, run, onClose }: Props) {
  const submit = useSubmit()
  const [plan, setPlan] = useState<ImportPreview>()
  const [names, setNames] = useState<Names>({ api: "", name: "" })
  const [mayReplace, setMayReplace] = useState(false)
  const preview = async (chosen?: Names): Promise<ImportPreview> => {
    const planned = await call("imports.plan", inputOf(text, chosen))
    setPlan(planned)
    setMayReplace(false)
    setNames(namesOf(planned))
    return planned
  }
  useEffect(() => submit.run(async () => void (await preview())), [])
  const isChanged = plan === undefined || names.api !== plan.api || names.name !== (plan.request?.name ?? "")
  const save = async (): Promise<void> => {
    const now = isChanged ? await preview(names) : plan
    if (now.replaced.length > 0 && (isChanged || !mayReplace))
      throw new UserError("A saved request has this name. Choose another, or confirm that it is replaced.")
    await call("plans.apply", { plan: now.plan })
    await queryClient.invalidateQueries({ queryKey: ["project"] })
    announce("Saved")
    onClose()
    showSaved(now, run)
  }
  return (
    <FormDialog
      title="Save request"
      submit={submit}
      does="Save"
      isDanger={!isChanged && plan.replaced.length > 0}
      onSubmit={() => submit.run(save)}
      onClose={onClose}
    >
      <TextField
        label="Name"
        isCode
        isFirst
        value={names.name}
        onChange={(name) => setNames({ ...names, name })}
      />
      <TextField
        label="API"
        note="A new API, or one of this project. It gets an environment with the server's URL."
        isCode
        value={names.api}
        onChange={(api) => setNames({ ...names, api: api.trim() })}
      />
      {plan === undefined || isChanged ? null : (
        <ImportFiles plan={plan} mayReplace={mayReplace} onReplace={setMayReplace} />
      )}
    </FormDialog>
  )
}

const namesOf = ({ api, request }: ImportPreview): Names => ({ api, name: request?.name ?? "" })

function inputOf(text: string, chosen: Names | undefined): Input<"imports.plan"> {
  const sources = [{ name: "pasted text", text }]
  if (chosen === undefined) return { sources, saved: {} }
  const { api, name } = chosen
  if (!isApiName(api))
    throw new UserError("The name of an API has lowercase letters, digits, _ and -, such as shop.")
  if (name === "" || name.includes("/") || checkFreeName(name) !== undefined)
    throw new UserError("Enter a name for the request, such as list-orders.")
  return { sources, api, saved: { name } }
}

/** Shows the saved request with the response that the user has seen. */
function showSaved({ api, request }: ImportPreview, run: string): void {
  if (request === undefined) return
  const { resource, name } = request
  chooseRun(sendKey({ api, resource, request: name }), { run, isOwn: true })
  goTo({ kind: "request", api, resource, request: name })
}
