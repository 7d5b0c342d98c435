// First steps for a project that lacks something for testing an API.

import type { ProjectView } from "@callsheet/server/calls"
import { CodeBlock } from "../parts/code-block.tsx"
import { EmptyState } from "../parts/empty-state.tsx"
import { showWorkflowDialog } from "../workflow/workflow-dialog-state.ts"

export function FirstSteps({ project: { apis, workflows } }: { readonly project: ProjectView }) {
  if (apis.length === 0) return <NoApis />
  if (workflows.length === 0) return <NoWorkflows />
  return null
}

const firstSchema = `{
  "version": 1,
  "variables": {
    "baseUrl": { "type": "string", "required": true }
  }
}`

function NoApis() {
  return (
    <EmptyState title="Start with an API">
      <p>
        An API is a folder in <code>apis/</code>. Add its OpenAPI file, such as{" "}
        <code>apis/shop/openapi.json</code> or <code>openapi.yaml</code> for an API named shop, and its
        operations appear here.
      </p>
      <p>
        Declare the variables that differ between environments in{" "}
        <code>apis/shop/environments/schema.json</code>:
      </p>
      <CodeBlock text={firstSchema} what="schema" />
      <p>Then create the first environment:</p>
      <CodeBlock text="callsheet env write shop local baseUrl=http://127.0.0.1:8080" what="command" />
      <p>Or create a small, complete project in its own folder:</p>
      <CodeBlock text="callsheet init my-project" what="command for a complete project" />
    </EmptyState>
  )
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
