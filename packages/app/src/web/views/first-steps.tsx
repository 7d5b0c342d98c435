// What to do first where a project lacks something that a test of an API needs.

import type { ProjectView } from "../../api.ts"
import { CodeBlock } from "../parts/code-block.tsx"
import { EmptyState } from "../parts/empty-state.tsx"

export function FirstSteps({ project: { apis, workflows } }: { readonly project: ProjectView }) {
  if (apis.length === 0) return <NoApis />
  if (workflows.length === 0) return <NoWorkflows />
  return null
}

function NoApis() {
  return (
    <EmptyState title="Begin with an API">
      <p>
        An API is a folder <code>apis/&lt;name&gt;/</code>. Put its OpenAPI file there as{" "}
        <code>openapi.json</code> or <code>openapi.yaml</code>, and its operations appear here at once.
      </p>
      <p>Then declare the variables that differ between environments, and make the first environment:</p>
      <CodeBlock text={'callsheet env write <name> local baseUrl="http://127.0.0.1:8080"'} what="command" />
      <p>To see how a whole project looks, make one in another folder:</p>
      <CodeBlock text="callsheet init my-project" what="command" />
    </EmptyState>
  )
}

const firstWorkflow = `{
  "version": 1,
  "blocks": []
}`

function NoWorkflows() {
  return (
    <EmptyState title="Write the first workflow">
      <p>
        A workflow is a file <code>apis/workflow/&lt;name&gt;.json</code>: a list of blocks. Begin with this,
        then search an operation with <kbd>/</kbd> and copy its block into <code>blocks</code>:
      </p>
      <CodeBlock text={firstWorkflow} what="empty workflow" />
      <p>What is wrong with it shows here as soon as the file is saved. It runs with:</p>
      <CodeBlock text="callsheet run <name>" what="command" />
    </EmptyState>
  )
}
