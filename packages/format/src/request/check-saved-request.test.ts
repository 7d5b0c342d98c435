import { describe, expect, it } from "vitest"
import { formatProblem } from "../problems.ts"
import { checkSavedRequest } from "./check-saved-request.ts"

const check = (content: unknown) =>
  checkSavedRequest({ file: "r.json", text: typeof content === "string" ? content : JSON.stringify(content) })

const problemsOf = (content: unknown) => check(content).problems.map(formatProblem)

const base = { version: 1, operation: "createOrder" }

describe("checkSavedRequest", () => {
  it("reads a complete saved request", () => {
    const request = {
      $schema: "x",
      version: 1,
      description: "for {{name}}",
      method: "POST",
      path: "/orders/{id}/{{part}}",
      params: { query: { a: "{{b}}" }, path: { id: "1" }, header: { "x-y": "z" }, cookie: { sid: "" } },
      body: { a: [1, "{{$uuid}}", { b: null }] },
      bodyType: "json",
      timeoutMs: 250.5,
      followRedirects: false,
    }
    expect(check(request)).toEqual({ request, problems: [] })
  })

  it("keeps every digit of big integers in a body", () => {
    const { request } = check('{"version": 1, "operation": "x", "body": {"id": 12345678901234567890}}')
    expect(request?.body).toEqual({ id: 12345678901234567890n })
  })

  it.each([
    [{ version: 1 }, "exactly-one"],
    [{ ...base, method: "GET", path: "/x" }, "exactly-one"],
    [{ ...base, method: "GET" }, "exactly-one"],
    [{ version: 1, method: "GET" }, "exactly-one"],
    [{ version: 1, path: "/x" }, "field-missing"],
    [{ operation: "x" }, "version-invalid"],
    [{ ...base, version: "1" }, "version-invalid"],
    [{ ...base, header: {} }, "field-unknown"],
    [{ ...base, params: { headers: {} } }, "field-unknown"],
    [{ ...base, params: { query: { a: 1 } } }, "field-type"],
    [{ ...base, bodyType: "toString" }, "field-value"],
    [{ ...base, timeoutMs: 0 }, "field-value"],
    [{ ...base, timeoutMs: -0 }, "field-value"],
    [{ ...base, timeoutMs: 2_147_483_648 }, "field-value"],
    [{ ...base, timeoutMs: "5" }, "field-type"],
    ['{"version": 1, "operation": "x", "timeoutMs": 1e400}', "field-value"],
    [{ ...base, followRedirects: "no" }, "field-type"],
    [{ version: 1, method: "GET /x", path: "/x" }, "field-value"],
    [{ version: 1, method: "", path: "/x" }, "field-value"],
    [{ version: 1, method: "{{m}}", path: "/x" }, "field-value"],
    [{ version: 1, method: "GET", path: "x" }, "field-value"],
    [{ version: 1, method: "GET", path: "" }, "field-value"],
    [{ version: 1, method: "GET", path: "https://x.example/y" }, "field-value"],
    [{ version: 1, method: "GET", path: "/x?y=1" }, "field-value"],
    [{ ...base, description: "{{" }, "token-malformed"],
    [{ ...base, operation: "{{}}" }, "token-malformed"],
    [{ ...base, params: { cookie: { a: "{{b" } } }, "token-malformed"],
    [{ ...base, body: { a: [{ b: "x {{ }}" }] } }, "token-malformed"],
    [{ ...base, body: { a: "{{a..b}}" } }, "token-malformed"],
    [{ ...base, bodyType: "text", body: {} }, "field-type"],
    [{ ...base, bodyType: "file", body: ["x"] }, "field-type"],
    [{ ...base, bodyType: "form", body: "a=b" }, "field-type"],
    [{ ...base, bodyType: "multipart", body: [] }, "field-type"],
    [{ ...base, bodyType: "multipart", body: { a: { file: 1 } } }, "field-type"],
    [{ ...base, bodyType: "multipart", body: { a: [{ file: "x", name: "y" }] } }, "field-unknown"],
    ["[]", "field-type"],
    ["{", "json-syntax"],
    ["", "json-syntax"],
    ["<<<<<<< a\n{}\n=======\n{}\n>>>>>>> b", "file-conflict"],
  ])("rejects %j (%s)", (content, code) => {
    const { request, problems } = check(content)
    expect(request).toBeUndefined()
    expect(problems.map((problem) => problem.code)).toEqual([code])
  })

  it.each([
    [{ ...base, bodyType: "text", body: "a {{b}} \\{{c" }],
    [{ ...base, bodyType: "file", body: "files/a.pdf" }],
    [{ ...base, bodyType: "form", body: { a: ["1", "2"], b: 3 } }],
    [{ ...base, bodyType: "multipart", body: "{{parts}}" }],
    [
      {
        ...base,
        bodyType: "multipart",
        body: { a: { file: "x", filename: "y", contentType: "z" }, b: { c: 1 } },
      },
    ],
    [{ ...base, bodyType: "file" }],
    [{ version: 1, method: "M-SEARCH", path: "{{path}}" }],
  ])("accepts %j", (content) => {
    expect(problemsOf(content)).toEqual([])
  })

  it("points at the field with a hint, in file order", () => {
    const text = '{\n  "version": 1,\n  "operation": "x",\n  "parms": {},\n  "timeoutMs": -1\n}'
    const { problems } = check(text)
    expect(problems.map(formatProblem)).toEqual([
      'r.json:4:3: unknown field "parms" (field-unknown)',
      "r.json:5:16: timeoutMs is -1; expected more than 0 (field-value)",
    ])
    expect(problems[0]!.hint).toBe('did you mean "params"?')
  })

  it("reads a body of 300,000 strings", () => {
    expect(problemsOf({ ...base, body: Array.from({ length: 300_000 }, () => "a") })).toEqual([])
  })

  it("handles 10,000 nested arrays within two seconds", () => {
    const depth = 10_000
    const text = `{"version": 1, "operation": "x", "body": ${"[".repeat(depth)}"{{"${"]".repeat(depth)}}`
    const start = performance.now()
    expect(check(text).problems).toMatchObject([{ code: "token-malformed", line: 1, column: 42 + depth }])
    expect(performance.now() - start).toBeLessThan(2_000)
  })
})
