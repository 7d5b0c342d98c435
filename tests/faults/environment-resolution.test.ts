// Faults in resolving the values of an environment, through the built command.

import { rm } from "node:fs/promises"
import { describe, expect, it } from "vitest"
import { startApi } from "../harness/api-server.ts"
import { callsheet, createFolder, type CallOptions, type Files } from "../harness/callsheet.ts"
import { faultyDisk } from "../harness/faulty-disk.ts"
import { echo, shopFiles } from "../run/shop-project.ts"
import { CANARY, ENVIRONMENTS } from "./environment-project.ts"

const variable = (type: string, more: object = {}) => ({ type, required: false, ...more })

const schema = {
  version: 1,
  variables: {
    name: variable("string"),
    port: variable("number"),
    dry: variable("boolean"),
    apiKey: variable("string", { secret: true }),
  },
}

/** File names in the `environments` directory, with their contents. */
const project = (environments: Files): Files =>
  Object.fromEntries(
    Object.entries({ "schema.json": schema, ...environments }).map(([name, content]) => [
      `${ENVIRONMENTS}/${name}`,
      content,
    ]),
  )

const call = (words: readonly string[], environments: Files, more: CallOptions = {}) =>
  callsheet(["env", ...words], { files: project(environments), ...more })
const read = (words: readonly string[], environments: Files, env: Record<string, string> = {}) =>
  call(["read", "shop", ...words], environments, { env })

/** `local.json:1:13 extends-cycle` for each problem on standard error. */
const problemsIn = (stderr: string): readonly string[] =>
  [...stderr.matchAll(/^(?:warning: )?(?:(\S*?):(\d+):(\d+): )?.*\(([a-z-]+)\)$/gm)].map(
    ([, file, line, column, code]) =>
      file === undefined
        ? String(code)
        : `${file.slice(file.lastIndexOf("/") + 1)}:${line}:${column} ${code}`,
  )

describe("parents", () => {
  it.each([
    ["itself", { a: "a" }, 'the environment "a" extends itself'],
    ["a cycle of two", { a: "b", b: "a" }, "a → b → a"],
    ["a cycle of three", { a: "c", b: "a", c: "b" }, "a → c → b → a"],
    ["a cycle that is entered from outside", { out: "b", b: "c", c: "b" }, "b → c → b"],
  ])("%s is reported once, with the chain in order", async (_, parents, chain) => {
    const environments = Object.fromEntries(
      Object.entries(parents).map(([name, parent]) => [`${name}.json`, { extends: parent }]),
    )
    for (const words of [["list"], ["read", "shop", Object.keys(parents)[0] ?? ""]]) {
      const { exitCode, stderr } = await call(words, environments)
      expect(exitCode).toBe(2)
      expect(problemsIn(stderr)).toEqual([expect.stringMatching(/^[abc]\.json:2:14 extends-cycle$/)])
      expect(stderr).toContain(chain)
    }
  })

  it.each([
    ["missing", "extends-missing", undefined],
    ["base.json", "extends-missing", 'did you mean "base"?'],
    ["Base", "extends-missing", 'did you mean "base"?'],
    ["bsae", "extends-missing", 'did you mean "base"?'],
    ["schema", "extends-missing", undefined],
  ])("the parent %j is %s at its line", async (parent, code, hint) => {
    const { exitCode, stderr } = await read(["dev"], {
      "base.json": {},
      "dev.json": { name: "x", extends: parent },
    })
    expect(exitCode).toBe(2)
    expect(problemsIn(stderr)).toEqual([`dev.json:3:14 ${code}`])
    if (hint !== undefined) expect(stderr).toContain(`hint: ${hint}\n`)
  })

  it("a parent that is a directory is reported by its own name", async () => {
    const { exitCode, stderr } = await read(["dev"], { "base.json/x": "", "dev.json": { extends: "base" } })
    expect(exitCode).toBe(2)
    expect(stderr).toBe(
      `${ENVIRONMENTS}/base.json: expected a file but found a directory (file-unreadable)\n`,
    )
  })

  it.each(["../../outside", "/outside", "..\\outside", "\\\\outside\\x", "outside/../dev", "", "a b"])(
    "the parent %j is rejected as a name, and nothing there is opened",
    async (parent) => {
      const disk = faultyDisk([{ call: "openSync", on: "outside", tell: "opened" }])
      const { exitCode, stderr } = await callsheet(["env", "read", "shop", "dev"], {
        files: { ...project({ "dev.json": { extends: parent } }), "apis/outside.json": {} },
        env: disk,
      })
      expect(exitCode).toBe(2)
      expect(problemsIn(stderr)).toEqual(["dev.json:2:14 env-name"])
      expect(stderr).not.toContain("opened")
    },
  )

  it("a broken parent is reported once, in its own file", async () => {
    const children = Object.fromEntries(["a", "b", "c"].map((name) => [`${name}.json`, { extends: "base" }]))
    const environments = { ...children, "base.json": '{\n  "name": x\n}\n' }
    for (const words of [["list"], ["read", "shop", "b"]]) {
      const { exitCode, stderr } = await call(words, environments)
      expect({ exitCode, problems: problemsIn(stderr) }).toEqual({
        exitCode: 2,
        problems: ["base.json:2:11 json-syntax"],
      })
    }
  })

  it("a chain of 1,000 parents resolves", async () => {
    const chain = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, at) => [`e${at}.json`, { extends: `e${at + 1}` }]),
    )
    const { exitCode, stdout } = await call(
      ["read", "shop", "e0", "name"],
      { ...chain, "e1000.json": { name: "from the top" } },
      { timeoutMs: 60_000 },
    )
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "from the top\n" })
  })
})

describe("missing values", () => {
  it("every required variable without a value is reported with its file before anything is sent", async () => {
    const api = await startApi({ "*": { body: {} } })
    try {
      const required = (type: string, more = {}) => variable(type, { required: true, ...more })
      const { exitCode, stderr } = await callsheet(["run", "w", "--env", "local"], {
        files: {
          ...shopFiles(api.url, [echo("get")]),
          [`${ENVIRONMENTS}/schema.json`]: {
            version: 1,
            variables: {
              baseUrl: required("string"),
              absent: required("string"),
              nothing: required("number"),
              empty: required("string"),
              token: required("string", { secret: true }),
            },
          },
          [`${ENVIRONMENTS}/local.json`]: { baseUrl: api.url, nothing: null, empty: "" },
          [`${ENVIRONMENTS}/local.secrets.env`]: "",
        },
      })
      expect(exitCode).toBe(2)
      for (const name of ["absent", "nothing", "empty"]) {
        expect(stderr).toContain(
          `${ENVIRONMENTS}/local.json: the required variable "${name}" of the API "shop" has no value in the environment "local" (variable-missing)`,
        )
      }
      expect(stderr).toContain(`${ENVIRONMENTS}/local.secrets.env: the required secret "token"`)
      expect(api.requests).toHaveLength(0)
    } finally {
      await api.close()
    }
  })

  it("a missing secrets file is named, with a note that it is not in version control", async () => {
    const files = shopFiles("http://127.0.0.1:1", [echo("get")])
    const { exitCode, stderr } = await callsheet(["run", "w", "--env", "local"], {
      files: {
        ...Object.fromEntries(Object.entries(files).filter(([name]) => !name.endsWith(".secrets.env"))),
        [`${ENVIRONMENTS}/schema.json`]: {
          version: 1,
          variables: {
            baseUrl: variable("string"),
            tier: variable("number"),
            token: variable("string", { required: true, secret: true }),
          },
        },
      },
    })
    expect(exitCode).toBe(2)
    expect(stderr).toContain(
      `set it in ${ENVIRONMENTS}/local.secrets.env (not under version control) or in the environment variable CALLSHEET_VAR__SHOP__TOKEN`,
    )
  })

  it.each([
    ["an empty text", { name: "" }, { value: "" }],
    ["null", { name: null }, {}],
  ])("%s in a child overrides its parent's value", async (_, child, value) => {
    const { stdout } = await read(["dev", "--json"], {
      "base.json": { name: "parent's" },
      "dev.json": { extends: "base", ...child },
    })
    const { variables } = JSON.parse(stdout) as { variables: Record<string, object> }
    expect(variables["name"]).toEqual({
      ...value,
      type: "string",
      secret: false,
      from: "values",
      environment: "dev",
      file: `${ENVIRONMENTS}/dev.json`,
    })
  })
})

describe("process variables", () => {
  const environments = { "dev.json": { name: "file's" } }

  it("an empty one counts as not set", async () => {
    const { stdout } = await read(["dev", "name"], environments, { CALLSHEET_VAR__SHOP__NAME: "" })
    expect(stdout).toBe("file's\n")
  })

  it("one that two variables share is an error only when it is set", async () => {
    const twins = {
      "schema.json": { version: 1, variables: { apiKey: variable("string"), api_key: variable("string") } },
      "dev.json": { apiKey: "file's" },
    }
    const set = await read(["dev", "apiKey"], twins, { CALLSHEET_VAR__SHOP__API_KEY: CANARY })
    expect(set.exitCode).toBe(2)
    expect(set.stderr).toContain("sets both shop.apiKey and shop.api_key (variable-ambiguous)")
    expect(set.stderr).not.toContain(CANARY)
    for (const env of [{}, { CALLSHEET_VAR__SHOP__API_KEY: "" }]) {
      expect(await read(["dev", "apiKey"], twins, env)).toMatchObject({ exitCode: 0, stdout: "file's\n" })
    }
  })
})

describe("texts", () => {
  /** Declares a variable of a type for each text, which has the text in every source. */
  const sourcesOf = (type: string, texts: readonly string[]) => {
    const names = texts.map((_, index) => `v${index}`)
    const variables = Object.fromEntries(names.map((name) => [name, variable(type)]))
    const empty = { "schema.json": { version: 1, variables }, "dev.json": {} }
    const lines = texts.map((text, index) => `v${index}='${text}'\n`).join("")
    return {
      inFile: read(["dev"], { ...empty, "dev.secrets.env": lines }),
      ofProcess: read(
        ["dev"],
        empty,
        Object.fromEntries(texts.map((text, index) => [`CALLSHEET_VAR__SHOP__V${index}`, text])),
      ),
      written: call(["write", "shop", "dev", ...texts.map((text, index) => `v${index}=${text}`)], empty),
    }
  }

  it.each([
    ["number", "0x10|1_000| 5|5 |٣|+5|05|.5|5.|1e|NaN|Infinity|1,5|--"],
    ["boolean", "True|TRUE|1|0|yes|on| true|false "],
  ])("are not a %s in any source: %s", async (type, list) => {
    const texts = list.split("|")
    const { inFile, ofProcess, written } = sourcesOf(type, texts)
    expect(problemsIn((await inFile).stderr)).toEqual(
      texts.map((_, index) => `dev.secrets.env:${index + 1}:${`v${index}`.length + 2} variable-type`),
    )
    for (const { exitCode, stderr } of [await ofProcess, await written])
      expect([exitCode, ...problemsIn(stderr)]).toEqual([2, ...texts.map(() => "variable-type")])
  })

  it.each([
    ["1e3", "1000"],
    ["-0.5", "-0.5"],
    ["12345678901234567890", "12345678901234567890"],
  ])("%j is the number %s", async (text, shown) => {
    const { exitCode, stdout } = await read(["dev", "port"], {
      "dev.json": {},
      "dev.secrets.env": `port=${text}`,
    })
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: `${shown}\n` })
  })

  it.each([
    ["not an assignment", "just words"],
    ["a name with a space", "api key=x"],
    ["no name", "=x"],
    ["half a certificate", "MIIBIjANBgkqhkiG9w0BAQ"],
  ])("a line that is %s is reported with its number, and not quoted", async (_, line) => {
    const { exitCode, stderr } = await read(["dev"], {
      "dev.json": {},
      "dev.secrets.env": `# mine\napiKey=k\n${line}\n`,
    })
    expect(exitCode).toBe(2)
    expect(problemsIn(stderr)).toEqual(["dev.secrets.env:3:1 dotenv-syntax"])
    expect(stderr).not.toContain(line)
  })

  it("an unquoted # cuts a secret short, as in the dialect, with a warning", async () => {
    const { exitCode, stdout, stderr } = await read(["dev", "apiKey", "--reveal"], {
      "dev.json": {},
      "dev.secrets.env": `apiKey=front#${CANARY}\n`,
    })
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "front\n" })
    expect(problemsIn(stderr)).toEqual(["dev.secrets.env:1:13 dotenv-syntax"])
    expect(stderr).toMatch(/^warning: /)
    expect(stderr).not.toContain(CANARY)
  })
})

describe("secrets, names and levels", () => {
  it("a secret in the committed file is reported without its value, and masked", async () => {
    const environments = { "dev.json": { apiKey: CANARY } }
    const shown = await read(["dev"], environments)
    expect(shown.exitCode).toBe(0)
    expect(problemsIn(shown.stderr)).toEqual(["dev.json:2:3 secret-committed"])
    expect(`${shown.stdout}${shown.stderr}`).not.toContain(CANARY)
  })

  it("validate reports a secret in the committed file as an error, and does not show it", async () => {
    const { exitCode, stdout, stderr } = await callsheet(["validate"], {
      files: project({ "dev.json": { apiKey: CANARY } }),
    })
    expect(exitCode).toBe(1)
    expect(`${stdout}${stderr}`).toMatch(/dev\.json:2:3: .*"apiKey".*\(secret-committed\)/)
    expect(`${stdout}${stderr}`).not.toContain(CANARY)
  })

  it("a run warns about a secret in the committed file, continues and masks it", async () => {
    const api = await startApi({ "*": (request) => ({ body: { path: request.url } }) })
    try {
      const files = {
        ...shopFiles(api.url, [echo("get", { q: "{{token}}" })]),
        [`${ENVIRONMENTS}/local.json`]: { baseUrl: api.url, tier: 3, token: CANARY },
        [`${ENVIRONMENTS}/local.secrets.env`]: "",
      }
      const { exitCode, stdout, stderr } = await callsheet(["run", "w", "--env", "local", "--json"], {
        files,
      })
      expect(exitCode, stderr).toBe(0)
      expect(stderr).toContain("(secret-committed)")
      expect(`${stdout}${stderr}`).not.toContain(CANARY)
      expect(api.requests.map(({ url }) => url)).toEqual([`/echo?q=${CANARY}`])
    } finally {
      await api.close()
    }
  })

  it.each(["con.json", "NUL.json", "com1.x.json", "a b.json", "-a.json", "ä.json"])(
    "a file %j is not an environment, and is reported",
    async (name) => {
      const { exitCode, stdout, stderr } = await call(["list", "--json"], { "dev.json": {}, [name]: {} })
      expect(exitCode).toBe(2)
      expect(JSON.parse(stdout)).toHaveLength(1)
      expect(stderr).toContain("(env-name)")
    },
  )

  it.runIf(process.platform === "linux")(
    "names that differ only in case and a name with a line break are reported in one line each",
    async () => {
      const { exitCode, stderr } = await call(["list"], { "dev.json": {}, "Dev.json": {}, "a\nb.json": {} })
      expect(exitCode).toBe(2)
      expect(stderr).toContain('the environments "Dev" and "dev" differ only in case (env-name)')
      expect(stderr).toContain(String.raw`"a\nb" is not a valid name for an environment (env-name)`)
      expect(stderr).not.toMatch(/^b/m)
    },
  )

  it("an environment with a production-like name and no level gets a warning", async () => {
    const environments = { "production.json": {}, "prod-eu.json": { level: "production" } }
    const { exitCode, stderr } = await read(["production"], environments)
    expect(exitCode).toBe(0)
    expect(problemsIn(stderr).map((problem) => problem.replace(/.* /, ""))).toEqual(["level-unset"])
    expect((await read(["prod-eu"], environments)).stderr).toBe("")
  })
})

it("2,000 environments of 500 variables are listed and read in bounded memory", async () => {
  const names = Array.from({ length: 500 }, (_, at) => `v${at}`)
  const declared = Object.fromEntries(names.map((name) => [name, variable("string")]))
  const values = (more: object) =>
    JSON.stringify({ ...more, ...Object.fromEntries(names.map((name) => [name, "some text"])) }, null, 2)
  const [parent, child] = [values({}), values({ extends: "e0" })]
  const environments = Object.fromEntries(
    Array.from({ length: 2_000 }, (_, at) => [`e${at}.json`, at === 0 ? parent : child]),
  )
  const folder = await createFolder(
    project({ ...environments, "schema.json": { version: 1, variables: declared } }),
  )
  try {
    // The limits catch hangs and texts that are kept twice. Speed is the bench's job.
    const more = { folder, timeoutMs: 60_000, env: { NODE_OPTIONS: "--max-old-space-size=300" } }
    const list = await callsheet(["env", "list", "--json"], more)
    expect([list.exitCode, (JSON.parse(list.stdout) as unknown[]).length]).toEqual([0, 2_000])
    const one = await callsheet(["env", "read", "shop", "e1999", "v499"], more)
    expect(one).toMatchObject({ exitCode: 0, stdout: "some text\n" })
  } finally {
    await rm(folder, { recursive: true })
  }
}, 120_000)
