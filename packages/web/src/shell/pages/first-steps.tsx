// First steps for a project without APIs or workflows.

import type { ProjectView } from "@callsheet/server/calls"
import { EmptyState } from "../../ui/empty-state.tsx"
import { showWorkflowDialog } from "../../blocks/workflow-dialog.ts"
import { CodeBlock } from "../../ui/copy-button.tsx"
import { FileBraces, FolderInput, FlaskConical, type LucideIcon } from "lucide-react"
import type { ReactNode } from "react"
import { call } from "../../connection/call.ts"
import { projectQuery } from "../../connection/queries.ts"
import { queryClient } from "../../connection/query-client.ts"
import { StartField } from "../imports/start-field.tsx"
import { importTitles, showImport } from "../imports/import-state.ts"
import { useSubmit } from "../../ui/use-submit.ts"
import { goTo } from "../../routes/use-route.ts"
import { FailureLine } from "../../runs/marks/block-fault.tsx"

export function FirstSteps({ project }: { readonly project: ProjectView }) {
  const { apis, workflows, isNew = false } = project
  if (apis.length === 0) return <FirstMinute isNew={isNew} />
  if (workflows.length === 0) return <NoWorkflows />
  return null
}

function NoWorkflows() {
  return (
    <EmptyState title="Write the first workflow">
      <p>
        A workflow is a list of blocks: requests, checks of their responses, loops and conditions. It is a
        file in <code>apis/workflow/</code>. Create one here and add its first request:
      </p>
      <p>
        <button
          type="button"
          className="button button-main"
          onClick={() => showWorkflowDialog({ kind: "new" })}
        >
          New workflow…
        </button>
      </p>
      <p>Run it from its page, or by name:</p>
      <CodeBlock text="callsheet run first" what="command" />
    </EmptyState>
  )
}

/** The start of a project: three ways to a first request. */
function FirstMinute({ isNew }: { readonly isNew: boolean }) {
  const submit = useSubmit()
  return (
    <section className="first-minute" aria-labelledby="first-minute">
      <h2 id="first-minute">Start with an API</h2>
      <StartField />
      <div className="first-ways">
        <Way icon={FileBraces} title={importTitles.document} onClick={() => showImport("document")}>
          Lists its operations, ready to send. JSON or YAML.
        </Way>
        <Way icon={FolderInput} title={importTitles.files} onClick={() => showImport("files")}>
          From Postman, Bruno, Insomnia, HAR files or curl commands.
        </Way>
        {isNew ? (
          <Way icon={FlaskConical} title="Sample project" onClick={() => submit.run(createSample)}>
            A shop with eight workflows. The app runs its servers.
          </Way>
        ) : null}
      </div>
      <FailureLine failure={submit.fault} />
      <p className="faint">
        In a terminal, begin with <code>callsheet import</code>, <code>callsheet demo</code> or{" "}
        <code>callsheet init</code>.
      </p>
    </section>
  )
}

interface WayProps {
  readonly icon: LucideIcon
  readonly title: string
  readonly onClick: () => void
  readonly children: ReactNode
}

function Way({ icon: Icon, title, onClick, children }: WayProps) {
  return (
    <button type="button" className="first-way" onClick={onClick}>
      <Icon aria-hidden="true" />
      <strong>{title}</strong>
      <span>{children}</span>
    </button>
  )
}

/** Creates the sample, and shows its workflow. */
async function createSample(): Promise<void> {
  await call("imports.sample", {})
  await queryClient.invalidateQueries({ queryKey: ["project"] })
  const { workflows } = await queryClient.fetchQuery(projectQuery)
  const first = workflows.find(({ name }) => name === "checkout") ?? workflows[0]
  if (first !== undefined) goTo({ kind: "workflow", workflow: first.name })
}
