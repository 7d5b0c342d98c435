// Checks which workflows "Run all" runs.

import { expect, it } from "vitest"
import { runnableWorkflows, workflowsOfAll } from "./batch.ts"

it("skips helpers and unreadable workflows", () => {
  const workflows = ["checkout", "remove-cart", "seed"].map((name) => ({ name, apis: [], blocks: 1 }))
  const project = {
    revision: 1,
    name: "shop",
    apis: [],
    workflows: [...workflows, { name: "broken", apis: [] }],
  }
  expect(workflowsOfAll(project)).toEqual(["checkout", "remove-cart", "seed"])
  expect(workflowsOfAll({ ...project, helpers: ["seed", "remove-cart"] })).toEqual(["checkout"])
  expect(runnableWorkflows({ ...project, helpers: ["seed"] })).toContain("seed")
})
