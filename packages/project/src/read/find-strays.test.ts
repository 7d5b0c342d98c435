import { formatProblem } from "@callsheet/format"
import { expect, it } from "vitest"
import { findStrays } from "./read-whole-project.ts"
import { openProjectFolder } from "./project-folder.ts"
import { temporaryProject } from "../testing/temporary-project.ts"

it("finds scripts without a workflow, requests without a resource, and environments that are not JSON", () => {
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
      'apis/workflow/scripts/refunds: nothing uses these scripts because the workflow "refunds" does not exist (file-stray)',
      'did you mean "refund"?',
    ],
    [
      "apis/shop/requests/host.json: this saved request is not in a resource's directory (file-stray)",
      "move it to requests/<resource>/host.json",
    ],
    [
      "apis/shop/environments/qa.yaml: callsheet reads environments only from .json files, and secrets only from .secrets.env files (file-stray)",
      "write the values to qa.json",
    ],
  ])
  expect(strays.every(({ severity }) => severity === "warning")).toBe(true)
})
