import { formatProblem } from "@callsheet/format"
import { expect, it } from "vitest"
import { findStrays } from "./read-whole-project.ts"
import { openProjectFolder } from "./project-folder.ts"
import { temporaryProject } from "../testing/temporary-project.ts"

it("finds scripts without a workflow, requests without a resource, and environments that are no JSON", () => {
  const root = temporaryProject({
    "apis/workflow/refund.json": { version: 1, blocks: [] },
    "apis/workflow/scripts/refund/pay.ts": "",
    "apis/workflow/scripts/refunds/pay.ts": "",
    "apis/workflow/scripts/shared/money.ts": "",
    "apis/shop/requests/host.json": {},
    "apis/shop/requests/hosts/host.json": {},
    "apis/shop/environments/local.json": {},
    "apis/shop/environments/qa.yaml": "",
    "apis/shop/environments/.env": "",
    "apis/shop/environments/local.secrets.env": "",
    "apis/shop/environments/notes.md": "",
  })
  const strays = findStrays(openProjectFolder(root))
  expect(strays.map(({ hint, ...problem }) => [formatProblem(problem), hint])).toEqual([
    [
      'apis/workflow/scripts/refunds: there is no workflow "refunds" that could use these scripts (file-stray)',
      'did you mean "refund"?',
    ],
    [
      "apis/shop/requests/host.json: a saved request stands in no resource's folder (file-stray)",
      "move it to requests/<resource>/host.json",
    ],
    [
      "apis/shop/environments/qa.yaml: environments are .json files, and their secrets .secrets.env files (file-stray)",
      "write the values into qa.json",
    ],
  ])
  expect(strays.every(({ severity }) => severity === "warning")).toBe(true)
})
