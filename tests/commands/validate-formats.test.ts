import { mkdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Ajv } from "ajv"
import { failureCodes, problemCodes } from "@callsheet/format"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { callsheet, createFolder, writeFiles, type Files } from "../harness/callsheet.ts"
import { sarifSchema, type SarifLog } from "./sarif-schema.ts"

const environments = "apis/shop/environments"
const schema = { version: 1, variables: { locale: { type: "string", required: false } } }
/** An error in the file's second line with a hint, a warning for a whole file, and an error for a whole file. */
const wrong: Files = {
  [`${environments}/schema.json`]: schema,
  [`${environments}/local.json`]: '{\n  "lcoale": "100% a,b:c"\n}\n',
  [`${environments}/old.secrets.env`]: "",
  [`${environments}/latin.json`]: Uint8Array.of(0x7b, 0xe4, 0x7d),
}
const valid: Files = { [`${environments}/schema.json`]: schema, [`${environments}/local.json`]: {} }

let folder: string
beforeEach(async () => {
  folder = await createFolder()
})
afterEach(() => rm(folder, { recursive: true, force: true }))

interface ValidateOptions {
  readonly format: string
  /** The path of the project in the directory. */
  readonly project?: string
  readonly files: Files
  readonly env?: Readonly<Record<string, string>>
}

const inProject = (project: string, files: Files): Files =>
  Object.fromEntries(Object.entries(files).map(([path, content]) => [join(project, path), content]))

async function validate({ format, project = ".", files, env = {} }: ValidateOptions) {
  await rm(join(folder, project, "apis"), { recursive: true, force: true })
  await writeFiles(folder, inProject(project, files))
  const { exitCode, stdout, stderr } = await callsheet(["validate", "--format", format], {
    folder,
    cwd: project,
    env,
  })
  expect(stderr).toBe("")
  return { exitCode, stdout }
}

describe("validate --json", () => {
  it("reports whether everything is valid and what is not, with exactly these members", async () => {
    const { exitCode, stdout } = await validate({ format: "json", files: wrong })
    expect(exitCode).toBe(1)
    expect(JSON.parse(stdout)).toEqual({
      ok: false,
      problems: [
        {
          file: `${environments}/latin.json`,
          line: 1,
          column: 1,
          code: "file-encoding",
          severity: "error",
          message: expect.any(String) as string,
          hint: "save the file as UTF-8",
        },
        {
          file: `${environments}/local.json`,
          line: 2,
          column: 3,
          code: "variable-undeclared",
          severity: "error",
          message: '"lcoale" is not declared in schema.json',
          hint: 'did you mean "locale"?',
        },
        {
          file: `${environments}/old.secrets.env`,
          line: 1,
          column: 1,
          code: "env-missing",
          severity: "warning",
          message: 'nothing reads these secrets because the environment "old" does not exist',
          hint: expect.any(String) as string,
        },
      ],
    })
    const short = await callsheet(["validate", "--json"], { folder })
    expect(short.stdout).toBe(stdout)
  })

  it("is one line if nothing is wrong", async () => {
    expect(await validate({ format: "json", files: valid })).toEqual({
      exitCode: 0,
      stdout: '{"ok":true,"problems":[]}\n',
    })
  })
})

describe("validate --format github", () => {
  it("writes one command per problem, errors first, with the hint in the message", async () => {
    const { exitCode, stdout } = await validate({ format: "github", files: wrong })
    expect(exitCode).toBe(1)
    const [latin, local, old, summary, ...more] = stdout.split("\n")
    expect(latin).toMatch(
      /^::error file=apis\/shop\/environments\/latin\.json,line=1,col=1,title=file-encoding::the file is not UTF-8/,
    )
    expect(local).toBe(
      `::error file=${environments}/local.json,line=2,col=3,title=variable-undeclared::"lcoale" is not declared in schema.json%0Ahint: did you mean "locale"?`,
    )
    expect(old).toMatch(/^::warning file=apis\/shop\/environments\/old\.secrets\.env,/)
    expect(summary).toBe("2 errors, 1 warning in 3 files; 0 workflows, 1 API, 2 environments checked")
    expect(more).toEqual([""])
  })

  it("lets no name or text of a file end its command or start another", async () => {
    const files = {
      ...valid,
      [`${environments}/a,b:c%0A\n::x.json`]: "{}",
      [`${environments}/local.json`]: { "50%0A::error::x\r\n::stop-commands::y": 1 },
    }
    const { stdout } = await validate({ format: "github", files })
    const lines = stdout.trimEnd().split("\n")
    expect(lines).toHaveLength(3)
    expect(lines[0]).toContain(`file=${environments}/a%2Cb%3Ac%250A%0A%3A%3Ax.json,line=1,`)
    expect(lines[1]).toContain(String.raw`::"50%250A::error::x\r\n::stop-commands::y" is not`)
    expect(stdout).not.toContain("\r")
  })

  it("reports how many problems GitHub shows only in the log", async () => {
    const values = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`v${at}`, at]))
    const files = { ...valid, [`${environments}/local.json`]: values(13) }
    const { stdout } = await validate({ format: "github", files })
    expect(stdout.match(/^::error /gm)).toHaveLength(13)
    expect(stdout).toMatch(/^::notice title=callsheet validate::3 more errors in the log of this step/m)
    const few = await validate({
      format: "github",
      files: { ...files, [`${environments}/local.json`]: values(10) },
    })
    expect(few.stdout).not.toContain("::notice")
  })

  it("writes paths from the root of the repository: the workspace, the directory with .git, or the project", async () => {
    const pathIn = async (env: Readonly<Record<string, string>>) => {
      const { stdout } = await validate({ format: "github", project: "a/b", files: wrong, env })
      return /file=([^,]*)latin\.json/.exec(stdout)?.[1]
    }
    expect(await pathIn({})).toBe(`${environments}/`)
    expect(await pathIn({ GITHUB_WORKSPACE: folder })).toBe(`a/b/${environments}/`)
    await mkdir(join(folder, "a/.git"))
    expect(await pathIn({})).toBe(`b/${environments}/`)
    expect(await pathIn({ GITHUB_WORKSPACE: folder })).toBe(`a/b/${environments}/`)
    // A workspace that doesn't contain the project is ignored.
    expect(await pathIn({ GITHUB_WORKSPACE: join(folder, "a/b/apis") })).toBe(`b/${environments}/`)
    expect(await pathIn({ GITHUB_WORKSPACE: join(folder, "nowhere") })).toBe(`b/${environments}/`)
    await rm(join(folder, "a/.git"), { recursive: true })
    await writeFile(join(folder, ".git"), "gitdir: elsewhere\n")
    expect(await pathIn({})).toBe(`a/b/${environments}/`)
  })
})

describe("validate --format sarif", () => {
  const isSarif = new Ajv({ strict: true }).compile<SarifLog>(sarifSchema)
  const sarif = async (files: Files, project = "."): Promise<SarifLog["runs"][0]> => {
    const { stdout } = await validate({ format: "sarif", files, project })
    const log: unknown = JSON.parse(stdout)
    if (!isSarif(log)) throw new Error(JSON.stringify(isSarif.errors))
    return log.runs[0]
  }
  const fingerprints = ({ results }: SarifLog["runs"][0]) =>
    results.map(({ partialFingerprints }) => partialFingerprints.primaryLocationLineHash)

  it("meets the requirements of code scanning, with problems and without", async () => {
    expect((await sarif(wrong)).results).toHaveLength(3)
    expect((await sarif(valid)).results).toEqual([])
  })

  it("describes every code as a rule, found or not", async () => {
    const { rules } = (await sarif(valid)).tool.driver
    expect(rules.map(({ id, shortDescription }) => [id, shortDescription.text])).toEqual(
      Object.entries({ ...problemCodes, ...failureCodes }),
    )
  })

  it("gives each problem its rule, severity, text and position", async () => {
    const run = await sarif(wrong)
    expect(run.columnKind).toBe("utf16CodeUnits")
    const [, local, old] = run.results
    expect(local).toMatchObject({
      ruleId: "variable-undeclared",
      level: "error",
      message: { text: '"lcoale" is not declared in schema.json\nHint: did you mean "locale"?' },
    })
    expect(run.tool.driver.rules[local?.ruleIndex ?? -1]?.id).toBe("variable-undeclared")
    expect(local?.locations?.[0]?.physicalLocation).toEqual({
      artifactLocation: { uri: `${environments}/local.json`, uriBaseId: "%SRCROOT%" },
      region: { startLine: 2, startColumn: 3 },
    })
    expect(old?.level).toBe("warning")
  })

  it("writes paths as URIs from the root of the repository", async () => {
    await mkdir(join(folder, ".git"))
    const { results } = await sarif({ ...valid, [`${environments}/a b#?%ä:.json`]: "{}" }, "my tests")
    expect(results[0]?.locations?.[0]?.physicalLocation.artifactLocation.uri).toBe(
      `my%20tests/${environments}/a%20b%23%3F%25%C3%A4%3A.json`,
    )
  })

  it("recognizes a problem after lines moved, and distinguishes two similar ones", async () => {
    const broken = (before: string) => ({
      ...valid,
      [`${environments}/local.secrets.env`]: `${before}one two\nA=1\nthree four\n`,
      [`${environments}/local.json`]: "{}",
    })
    const first = fingerprints(await sarif(broken("")))
    const moved = fingerprints(await sarif(broken("# a comment\n\n")))
    expect(new Set(first).size).toBe(3)
    expect(moved).toEqual(first)
    expect(fingerprints(await sarif({ ...valid, [`${environments}/local.json`]: { b: 1 } }))).not.toContain(
      first[0],
    )
  })
})
