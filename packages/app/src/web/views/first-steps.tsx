// What to do first where a project lacks something that a test of an API needs.

import type { ProjectView } from "../../api.ts"
import { CodeBlock } from "../parts/code-block.tsx"
import { EmptyState } from "../parts/empty-state.tsx"

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
    <EmptyState title="Begin with an API">
      <p>
        An API is a folder in <code>apis/</code>. Give it its OpenAPI file, for an API named shop as{" "}
        <code>apis/shop/openapi.json</code> or <code>openapi.yaml</code>: its operations appear here at once.
      </p>
      <p>
        Declare the variables that differ between environments in{" "}
        <code>apis/shop/environments/schema.json</code>:
      </p>
      <CodeBlock text={firstSchema} what="schema" />
      <p>Then make the first environment:</p>
      <CodeBlock text="callsheet env write shop local baseUrl=http://127.0.0.1:8080" what="command" />
      <p>Or look at a small project that is whole, in a folder of its own:</p>
      <CodeBlock text="callsheet init my-project" what="command for a whole project" />
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
        A workflow is a file in <code>apis/workflow/</code>: a list of blocks. Save this as{" "}
        <code>apis/workflow/first.json</code>, then search an operation with <kbd>/</kbd> and copy its block
        into <code>blocks</code>:
      </p>
      <CodeBlock text={firstWorkflow} what="empty workflow" />
      <p>What is wrong with it is shown here as soon as you save it. It runs with:</p>
      <CodeBlock text="callsheet run first" what="command" />
    </EmptyState>
  )
}
