// The skill for agents that `callsheet init --agents` writes: the format in short, the commands, and the rules.

import { operatorNames } from "@callsheet/format"

/** Claude Code reads the first file. Other agents that support the Agent Skills standard read the second. */
export const skillFiles = [".claude/skills/callsheet/SKILL.md", ".agents/skills/callsheet/SKILL.md"] as const

/** At most 60 lines, because agents load it into their context. */
export const SKILL = `---
name: callsheet
description: Write, check, run and repair HTTP API tests in the apis/ directory with callsheet. Use for API tests, workflows, environments or OpenAPI contracts in this repository.
---

# callsheet

Tests are JSON files below \`apis/\`. Read a workflow that exists before you write one.

- \`apis/<api>/openapi.json|yaml\`: the contract and its operations
- \`apis/<api>/environments/<env>.json\`: values; \`schema.json\` declares variables; \`<env>.secrets.env\` has secrets
- \`apis/<api>/requests/<resource>/<name>.json\`: saved requests
- \`apis/workflow/<name>.json\`: tests; \`apis/workflow/scripts/<name>/*.ts\`: their scripts
- \`callsheet.json\`: defaults and suites

## A workflow

\`\`\`json
{
  "version": 1,
  "validateContracts": true,
  "blocks": [
    { "id": "made", "type": "request", "request": { "api": "shop", "operation": "createOrder", "overrides": { "body": { "sku": "A-1" } } } },
    { "id": "check", "type": "assert", "assertions": [{ "source": "made.response.status", "operator": "equals", "value": 201 }] }
  ]
}
\`\`\`

- Blocks: request, assert, transform, condition, loop, group, script. Ids are unique in the whole workflow.
- \`{{made.response.body.id}}\` inserts a value; \`source\` is such a path without braces.
- Operators: ${operatorNames.join(", ")}.
- \`overrides\` has \`params\` (query, path, header, cookie: strings) and \`body\` (paths to values).
- \`{{env.shop.name}}\` reads a variable, in any block.

## Commands

- \`callsheet list operations order\`: find operations
- \`callsheet schema workflow\`: the JSON Schema of workflows
- \`callsheet validate checkout --json\`: check without sending requests
- \`callsheet run checkout --env local --json\`: run
- \`callsheet mcp\`: the same as tools, for clients of the Model Context Protocol

Validate after each change. Then run.

## Rules

1. Never read, print or ask for secrets: no \`*.secrets.env\`, no \`--reveal\`.
2. Never run against an environment whose level is production, and never pass \`--yes\`. Ask the user to run it.
3. Never remove or loosen a check that the contract supports, and never turn off \`validateContracts\`, without telling the user why.
4. If a test fails, find the cause first: the test, the API or the contract. Don't change a test only to make it pass.
5. Don't change environments, \`level\` or \`callsheet.json\` unless the user asks for it.
`
