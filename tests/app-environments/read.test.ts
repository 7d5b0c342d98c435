// Checks `environments.read`: which file sets which value, without secrets.

import { symlink } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { makeFolder } from "../app-project/open-project.ts"
import { chain, folder, openEnvironments } from "./open-environments.ts"

describe("environments.read", () => {
  it("reports of each value whether it is own, inherited and from where, the default, or missing", async () => {
    const { read } = await openEnvironments(chain)
    const { cells, variables, environments } = await read()
    expect(variables.map(({ name }) => name)).toEqual(["baseUrl", "timeout", "sandbox", "apiKey", "pin"])
    expect(environments.map(({ name }) => name)).toEqual(["base", "live", "staging"])
    expect(cells["base"]).toEqual({
      baseUrl: { from: "own", file: "values", value: "http://127.0.0.1:1", isMissing: false },
      timeout: { from: "default", file: "values", value: 5000, isMissing: false },
      sandbox: { from: "own", file: "values", value: true, isMissing: false },
      apiKey: { from: "own", file: "secrets", isMissing: false },
      pin: { from: "none", file: "secrets", isMissing: false },
    })
    expect(cells["live"]).toEqual({
      baseUrl: {
        from: "inherited",
        environment: "base",
        file: "values",
        value: "http://127.0.0.1:1",
        isMissing: false,
      },
      timeout: { from: "inherited", environment: "staging", file: "values", value: 100, isMissing: false },
      sandbox: { from: "own", file: "values", value: null, isMissing: true, isNothing: true },
      apiKey: { from: "own", file: "secrets", isMissing: false },
      pin: { from: "own", file: "secrets", isMissing: false, isNothing: true },
    })
    expect(cells["staging"]?.["apiKey"]).toEqual({
      from: "inherited",
      environment: "base",
      file: "secrets",
      isMissing: false,
    })
  })

  it("returns the settings of an environment, and the result with those of its parents", async () => {
    const { read } = await openEnvironments(chain)
    const { environments } = await read()
    expect(environments).toMatchObject([
      { name: "base", tls: { verify: false }, effectiveLevel: "local", effectiveVerify: false },
      { name: "live", extends: "staging", level: "production", effectiveVerify: false },
      { name: "staging", extends: "base", level: "staging", effectiveLevel: "staging" },
    ])
    expect(environments[0]).not.toHaveProperty("level")
    expect(environments[1]).not.toHaveProperty("tls")
  })

  it("marks missing values, values of the wrong type, and a secret in a value file", async () => {
    const { read } = await openEnvironments({
      ...chain,
      [`${folder}/base.json`]: { timeout: "soon", sandbox: true, apiKey: "s3cr3t-for-all" },
      [`${folder}/base.secrets.env`]: "pin=none\n",
    })
    const { cells, environments } = await read()
    expect(cells["live"]).toMatchObject({ baseUrl: { from: "none", isMissing: true } })
    expect(cells["base"]).toMatchObject({
      timeout: { from: "own", isBroken: true, isMissing: false },
      apiKey: { from: "own", file: "values", isCommitted: true, isMissing: false },
      pin: { from: "own", file: "secrets", isBroken: true },
    })
    expect(environments[0]?.isBroken).toBe(false)
    expect(JSON.stringify(await read())).not.toContain("s3cr3t")
  })

  it("counts nothing as missing in an environment that others extend, and leaves it to them", async () => {
    const { read } = await openEnvironments({ ...chain, [`${folder}/base.json`]: { sandbox: null } })
    const { cells } = await read()
    expect(cells["base"]).toMatchObject({
      baseUrl: { from: "none", isMissing: false, isLeftOpen: true },
      sandbox: { from: "own", isNothing: true, isMissing: false, isLeftOpen: true },
    })
    expect(cells["live"]?.["baseUrl"]).toEqual({ from: "none", file: "values", isMissing: true })
    expect(cells["live"]?.["apiKey"]).not.toHaveProperty("isLeftOpen")
  })

  it("shows a secret nowhere: not in a value, a default or a description", async () => {
    const { read } = await openEnvironments({
      ...chain,
      [`${folder}/schema.json`]: {
        version: 1,
        variables: {
          baseUrl: { type: "string", required: true, description: "with s3cr3t-of-base in it" },
          path: { type: "string", required: true, default: "/s3cr3t-of-live" },
          apiKey: { type: "string", required: true, secret: true, default: "s3cr3t-by-default" },
          pin: { type: "number", required: false, secret: true },
        },
      },
      [`${folder}/base.json`]: { baseUrl: "http://u:s3cr3t-of-base@127.0.0.1" },
      [`${folder}/staging.json`]: { extends: "base" },
      [`${folder}/live.json`]: { extends: "base" },
    })
    const view = await read()
    expect(JSON.stringify(view)).not.toContain("s3cr3t")
    expect(view.cells["base"]?.["baseUrl"]).toMatchObject({ value: "http://***@127.0.0.1", isMasked: true })
    expect(view.variables).toMatchObject([
      { name: "baseUrl", description: "with *** in it" },
      { name: "path", default: "/***", isDefaultMasked: true },
      { name: "apiKey", hasSecretDefault: true },
      {},
    ])
    expect(view.variables[2]).not.toHaveProperty("default")
  })

  it.each([
    ["http://ada:l0vel4ce@127.0.0.1/api", "http://***@127.0.0.1/api"],
    ["http://a:b@127.0.0.1", "http://***@127.0.0.1"],
  ])("masks user and password of %s, even if the variable is not declared secret", async (baseUrl, shown) => {
    const { read } = await openEnvironments({ ...chain, [`${folder}/base.json`]: { baseUrl } })
    const view = await read()
    expect(view.cells["base"]?.["baseUrl"]).toMatchObject({ value: shown, isMasked: true })
    expect(JSON.stringify(view)).not.toContain(new URL(baseUrl).password.padStart(2, ":"))
  })

  it("masks a secret of another API or of the process", async () => {
    const { read } = await openEnvironments(
      {
        ...chain,
        "apis/pay/environments/schema.json": {
          version: 1,
          variables: { token: { type: "string", required: true, secret: true } },
        },
        "apis/pay/environments/a.json": {},
        "apis/pay/environments/a.secrets.env": "token=s3cr3t-of-pay\n",
        [`${folder}/base.json`]: { baseUrl: "http://s3cr3t-of-pay/s3cr3t-of-process", sandbox: true },
      },
      { processEnvironment: { CALLSHEET_VAR__SHOP__API_KEY: "s3cr3t-of-process" } },
    )
    const { cells, variables } = await read()
    expect(cells["base"]?.["baseUrl"]?.value).toBe("http://***/***")
    expect(variables[3]).toMatchObject({ name: "apiKey", processVariable: "CALLSHEET_VAR__SHOP__API_KEY" })
  })

  it("keeps every digit of an integer that JavaScript would round", async () => {
    const { read } = await openEnvironments({
      ...chain,
      [`${folder}/base.json`]: '{ "timeout": 12345678901234567890 }',
    })
    expect((await read()).cells["base"]?.["timeout"]?.value).toBe("12345678901234567890")
  })

  it("accepts names of Object's own properties", async () => {
    const { read } = await openEnvironments({
      [`${folder}/schema.json`]:
        '{"version": 1, "variables": {"__proto__": {"type": "string", "required": true}}}',
      [`${folder}/constructor.json`]: '{"__proto__": "x"}',
    })
    const text = JSON.stringify((await read()).cells)
    expect(text).toBe(
      '{"constructor":{"__proto__":{"from":"own","file":"values","value":"x","isMissing":false}}}',
    )
  })

  it.each([
    ["does not parse", { [`${folder}/live.json`]: "{" }],
    ["is not an object", { [`${folder}/live.json`]: " [1]" }],
    ["is a broken secrets file", { [`${folder}/live.secrets.env`]: "what is this\n" }],
  ])("marks an environment with a file that %s", async (_, broken) => {
    const { read } = await openEnvironments({ ...chain, ...broken })
    const { environments } = await read()
    expect(environments.map(({ name, isBroken }) => [name, isBroken])).toEqual([
      ["base", false],
      ["live", true],
      ["staging", false],
    ])
    expect(environments[1]?.problems).not.toEqual([])
  })

  it("reports what is wrong with a schema, and still shows the environments", async () => {
    const { read } = await openEnvironments({ ...chain, [`${folder}/schema.json`]: "{" })
    const { schema, variables, environments } = await read()
    expect(schema).toMatchObject({ path: `${folder}/schema.json`, problems: [{ code: "json-syntax" }] })
    expect([variables.length, environments.length]).toEqual([0, 3])
  })

  it("has no etag for a missing schema", async () => {
    const { read } = await openEnvironments({ "apis/shop/openapi.json": "{}" })
    expect(await read()).toMatchObject({ schema: { etag: null, problems: [] }, environments: [], cells: {} })
  })

  it("changes an environment's etag when either of its files changes, and no other etag", async () => {
    const { read, put } = await openEnvironments(chain)
    const etags = async () => (await read()).environments.map(({ etag }) => etag)
    const first = await etags()
    expect(await etags()).toEqual(first)
    await put({ [`${folder}/live.secrets.env`]: "apiKey=another\n" })
    const second = await etags()
    await put({ [`${folder}/live.json`]: { extends: "base" } })
    const third = await etags()
    expect(new Set([first[1], second[1], third[1]]).size).toBe(3)
    expect([third[0], third[2]]).toEqual([first[0], first[2]])
  })

  it("gives a secret an etag that no page could guess", async () => {
    const etags = await Promise.all(
      [1, 2].map(async () =>
        (await (await openEnvironments(chain)).read()).environments.map(({ etag }) => etag),
      ),
    )
    expect(etags[0]).not.toEqual(etags[1])
  })

  it("shows no environment whose file is a link out of the project", async () => {
    const outside = await makeFolder({ "secret.json": { baseUrl: "http://outside" } })
    const { read, root } = await openEnvironments(chain)
    await symlink(join(outside, "secret.json"), join(root, folder, "linked.json"))
    const view = await read()
    expect(view.environments.map(({ name }) => name)).not.toContain("linked")
    expect(JSON.stringify(view)).not.toContain("outside")
  })

  it("rejects an unknown API", async () => {
    const { read } = await openEnvironments(chain)
    await expect(read("shpo")).rejects.toMatchObject({
      code: "api-unknown",
      hint: expect.stringContaining("shop"),
    })
  })
})
