import { formatProblem } from "@callsheet/format"
import { expect, it } from "vitest"
import { findStrays } from "./find-strays.ts"
import { readProject } from "./read-project.ts"
import { openProjectFolder } from "./project-folder.ts"
import { temporaryProject } from "../testing/temporary-project.ts"

const workflow = { version: 1, blocks: [] }
const savedRequest = { version: 1, operation: "host" }
const document = { openapi: "3.1.0", paths: {} }

const straysIn = (files: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    findStrays(openProjectFolder(temporaryProject(files))).map((problem) => {
      expect(problem).toMatchObject({ code: "file-stray", severity: "warning" })
      return [problem.file, problem.hint]
    }),
  )

it("finds scripts without a workflow", () => {
  const root = temporaryProject({
    "apis/workflow/refund.json": workflow,
    "apis/workflow/scripts/refund/pay.ts": "",
    "apis/workflow/scripts/refunds/pay.ts": "",
    "apis/workflow/scripts/shared/money.ts": "",
  })
  const strays = findStrays(openProjectFolder(root))
  expect(strays.map(({ hint, ...problem }) => [formatProblem(problem), hint])).toEqual([
    [
      'apis/workflow/scripts/refunds: nothing uses these scripts because the workflow "refunds" does not exist (file-stray)',
      'did you mean "refund"?',
    ],
  ])
})

it("finds workflows with another ending or in another directory", () => {
  expect(
    straysIn({
      "apis/workflow/refund.json": workflow,
      "apis/workflow/a.JSON": workflow,
      "apis/workflow/b.yaml": "version: 1\nblocks: []\n",
      "apis/workflow/c.jsonc": "",
      "apis/workflow/sub/d.json": workflow,
      "apis/workflow/sub/sub/e.yml": "blocks:\n",
      "apis/workflow/Scripts/refund/pay.ts": "",
      "apis/workflows/f.json": workflow,
      "apis/shop/workflow/g.json": workflow,
      "apis/h.json": workflow,
    }),
  ).toEqual({
    "apis/workflow/a.JSON": "move it to apis/workflow/a.json",
    "apis/workflow/b.yaml": "write its content to apis/workflow/b.json",
    "apis/workflow/c.jsonc": "write its content to apis/workflow/c.json",
    "apis/workflow/sub/d.json": "move it to apis/workflow/d.json",
    "apis/workflow/sub/sub/e.yml": "write its content to apis/workflow/e.json",
    "apis/workflow/Scripts": 'did you mean "scripts"?',
    "apis/workflows/f.json": "move it to apis/workflow/f.json",
    "apis/shop/workflow/g.json": "move it to apis/workflow/g.json",
    "apis/h.json": "move it to apis/workflow/h.json",
  })
})

it.each([
  ["swagger.json", document, "openapi.json"],
  ["swagger.yml", "swagger: '2.0'\n", "openapi.yml"],
  ["api.YAML", "# The API\nopenapi: 3.0.3\n", "openapi.yaml"],
  ["Openapi.json", document, "openapi.json"],
  ["petstore.json", { swagger: "2.0" }, "openapi.json"],
  ["openapi-v2.yaml", "openapi: 3.1.0", "openapi.yaml"],
  ["spec.json5", "{openapi: '3.1.0'}", "openapi.json"],
])("%s in the directory of an API is a document with another name", (name, content, target) => {
  const files = { [`apis/pay/${name}`]: content, "apis/workflow/w.json": workflow }
  expect(straysIn(files)).toEqual({ [`apis/pay/${name}`]: `rename it to ${target}` })
  const { apis } = readProject(temporaryProject(files), { workflows: [], apis: ["pay"] })
  expect(apis.get("pay")?.misnamedDocument).toBe(`apis/pay/${name}`)
})

it("finds saved requests, environments and documents in the wrong place", () => {
  expect(
    straysIn({
      "apis/openapi.yml": "openapi: 3.1.0\n",
      "apis/shop/OpenAPI.json": document,
      "apis/shop/request/hosts/host.json": savedRequest,
      "apis/shop/requests/host.json": savedRequest,
      "apis/shop/requests/hosts/host.JSON": savedRequest,
      "apis/shop/requests/hosts/old/host.json": savedRequest,
      "apis/pay/swagger.yaml": "swagger: '2.0'\n",
      "apis/pay/env/local.json": {},
      "apis/pay/Environments/local.json": {},
      "apis/pay/instances/a/b.json": {},
      "apis/pay/environments/qa.yaml": "",
      "apis/pay/environments/qa.env": "",
      "apis/pay/environments/LOCAL.JSON": {},
      "apis/pay/environments/staging/values.json": {},
      "apis/pay/environments/local.secret.env": "",
    }),
  ).toEqual({
    "apis/openapi.yml": "move it to apis/<api>/openapi.yml",
    "apis/shop/OpenAPI.json": "rename it to openapi.json",
    "apis/shop/request": 'did you mean "requests"?',
    "apis/shop/requests/host.json": "move it to requests/<resource>/host.json",
    "apis/shop/requests/hosts/host.JSON": "move it to requests/hosts/host.json",
    "apis/shop/requests/hosts/old/host.json": "move it to requests/hosts/host.json",
    "apis/pay/swagger.yaml": "rename it to openapi.yaml",
    "apis/pay/env": 'did you mean "environments"?',
    "apis/pay/Environments": 'did you mean "environments"?',
    "apis/pay/instances": 'did you mean "requests"?',
    "apis/pay/environments/qa.yaml": "write its content to qa.json",
    "apis/pay/environments/qa.env": "move it to qa.secrets.env",
    "apis/pay/environments/LOCAL.JSON": "move it to LOCAL.json",
    "apis/pay/environments/staging": "write its content to staging.json",
    "apis/pay/environments/local.secret.env": "move it to local.secrets.env",
  })
})

it("accepts the files that callsheet reads, and files that others read", () => {
  expect(
    straysIn({
      "apis/README.md": "# APIs\n",
      "apis/workflow/README.md": "# Workflows\n",
      "apis/workflow/refund.json": workflow,
      "apis/workflow/data/rows.json": [{ sku: "a" }],
      "apis/workflow/scripts/refund/pay.ts": "",
      "apis/workflow/scripts/refund/data/blocks.json": workflow,
      "apis/shop/openapi.yaml": "openapi: 3.1.0\npaths: { /a: { $ref: 'paths/a.yaml' } }\n",
      "apis/shop/paths/a.yaml": "get: {}\n",
      "apis/shop/schemas/blocks.json": workflow,
      "apis/shop/swagger.json": document,
      "apis/shop/requests/hosts/host.json": savedRequest,
      "apis/shop/requests/hosts/upload.yaml": "name: a\n",
      "apis/shop/environments/schema.json": { version: 1, variables: {} },
      "apis/shop/environments/local.json": {},
      "apis/shop/environments/.env": "",
      "apis/shop/environments/local.secrets.env": "",
      "apis/shop/environments/notes.md": "",
    }),
  ).toEqual({})
})
