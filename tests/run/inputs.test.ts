import { expect, it } from "vitest"
import { request, runBlocks } from "./shop-project.ts"

type Fields = Readonly<Record<string, unknown>>
const inputs = (declared: Fields, ...words: readonly string[]) =>
  runBlocks(
    [request("send", { operation: "postEcho", overrides: { body: { v: "{{a}}", text: "<{{a}}>" } } })],
    {
      workflow: { inputs: { a: declared } },
      words: words.flatMap((word) => ["--input", word]),
    },
  )

it.each<[string, Fields, readonly string[], string]>([
  ["text unchanged", { type: "string" }, ["a=1 =2"], '{"v":"1 =2","text":"<1 =2>"}'],
  ["the empty string", { type: "string", default: "x" }, ["a="], '{"v":"","text":"<>"}'],
  ["a number", { type: "number" }, ["a=-1.5e3"], '{"v":-1500,"text":"<-1500>"}'],
  [
    "a big integer with every digit",
    { type: "number" },
    ["a=12345678901234567890"],
    '{"v":12345678901234567890,"text":"<12345678901234567890>"}',
  ],
  ["a boolean", { type: "boolean", required: true }, ["a=false"], '{"v":false,"text":"<false>"}'],
  [
    "a default unchanged",
    { type: "number", required: true, default: "text" },
    [],
    '{"v":"text","text":"<text>"}',
  ],
  ["a default of null", { type: "string", required: true, default: null }, [], '{"v":null,"text":"<null>"}'],
  [
    "a default with members",
    { type: "string", default: { b: [1] } },
    [],
    '{"v":{"b":[1]},"text":"<{\\"b\\":[1]}>"}',
  ],
])("an input is %s", async (_, declared, words, sent) => {
  const { requests } = await inputs(declared, ...words)
  expect(requests[0]?.text).toBe(sent)
})

it.each<[string, Fields, readonly string[], string]>([
  [
    "missing",
    { type: "number", required: true, description: "How many." },
    [],
    'the required input "a" has no value (How many.)',
  ],
  [
    "not a number",
    { type: "number" },
    ["a=0x10"],
    'the input "a" is declared as a number, but its value is not a number',
  ],
  [
    "empty, and not a number",
    { type: "number" },
    ["a="],
    'the input "a" is declared as a number, but its value is not a number',
  ],
  [
    "not a boolean",
    { type: "boolean" },
    ["a=True"],
    'the input "a" is declared as a boolean, but its value is not a boolean',
  ],
  [
    "given a token",
    { type: "string", default: "{{tier}}" },
    [],
    "inputs.a.default: an input must not contain placeholders",
  ],
])("a run does not start with an input that is %s", async (_, declared, words, message) => {
  const { exitCode, requests, run } = await inputs(declared, ...words)
  expect([exitCode, requests.length]).toEqual([2, 0])
  expect(run.error?.problems[0]?.message).toBe(message)
})
