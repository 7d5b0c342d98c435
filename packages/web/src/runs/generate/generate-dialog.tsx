// Generates tests from a document: first a preview, then one change, then what to run.

import { useEffect, useState } from "react"
import { suiteSubject, type TestChoice, type TestsPreview } from "@callsheet/server/calls"
import { call } from "../../connection/call.ts"
import { queryClient } from "../../connection/query-client.ts"
import { Refused } from "../../connection/send.ts"
import { FormDialog } from "../../files/form-dialog.tsx"
import { RouteLink } from "../../routes/route-link.tsx"
import { goTo } from "../../routes/use-route.ts"
import { announce } from "../../ui/announcement.tsx"
import { count } from "../../ui/formats.ts"
import { ShownText } from "../../ui/shown-text.tsx"
import { useSubmit } from "../../ui/use-submit.ts"
import { routeOfSubject } from "../bar/batch.ts"
import { runWorkflow } from "../state/starts.ts"
import { GeneratePreview } from "./generate-preview.tsx"

interface Props {
  readonly choice: TestChoice
  readonly onClose: () => void
}

interface Step {
  readonly is: "preview" | "changed" | "done"
  readonly plan: TestsPreview
}

export function GenerateDialog({ choice, onClose }: Props) {
  const submit = useSubmit()
  const [step, setStep] = useState<Step>()
  const show = async (is: "preview" | "changed"): Promise<void> =>
    setStep({ is, plan: await call("tests.plan", choice) })
  useEffect(() => submit.run(() => show("preview")), [])
  const suite = step?.is === "done" ? step.plan.suites[0] : undefined
  const next = async (): Promise<void> => {
    if (step === undefined) return show("preview")
    await write(step.plan, () => show("changed"), setStep)
  }
  const runSuite = (name: string): void => {
    onClose()
    goTo(routeOfSubject(suiteSubject(name)))
    void runWorkflow(suiteSubject(name))
  }
  return (
    <FormDialog
      title="Generate tests"
      submit={submit}
      does={labelOf(step)}
      isWide
      onSubmit={() => submit.run(next)}
      onClose={onClose}
      actions={
        suite === undefined ? null : (
          <button type="button" className="button button-main" onClick={() => runSuite(suite)}>
            Run <ShownText text={suite} />
          </button>
        )
      }
    >
      {step === undefined ? (
        <p role="status">{submit.isBusy ? "Reading the document…" : "Nothing was generated."}</p>
      ) : step.is === "done" ? (
        <Written plan={step.plan} />
      ) : (
        <GeneratePreview plan={step.plan} isUpdated={step.is === "changed"} />
      )}
    </FormDialog>
  )
}

function labelOf(step: Step | undefined): string | undefined {
  if (step === undefined || step.is === "done" || step.plan.fileCount === 0) return undefined
  return `Write ${count(step.plan.fileCount, "file")}`
}

/** Writes all files or none. If a file has changed, shows what changes now. */
async function write(
  plan: TestsPreview,
  showAgain: () => Promise<void>,
  setStep: (step: Step) => void,
): Promise<void> {
  try {
    await call("plans.apply", { plan: plan.plan })
  } catch (error) {
    if (error instanceof Refused && error.status === 409) return showAgain()
    throw error
  }
  await queryClient.invalidateQueries()
  announce("Tests written")
  setStep({ is: "done", plan })
}

const MAX_LINKS = 200

function Written({ plan: { workflows, fileCount } }: { readonly plan: TestsPreview }) {
  const rest = workflows.length - MAX_LINKS
  return (
    <>
      <p role="status">
        {count(fileCount, "file")} written. {count(workflows.length, "workflow")}:
      </p>
      <ul className="plan-names" aria-label="Generated workflows" tabIndex={0}>
        {workflows.slice(0, MAX_LINKS).map((workflow) => (
          <li key={workflow}>
            <RouteLink to={{ kind: "workflow", workflow }}>
              <ShownText text={workflow} />
            </RouteLink>
          </li>
        ))}
        {rest > 0 ? <li>and {rest.toLocaleString("en")} more</li> : null}
      </ul>
    </>
  )
}
