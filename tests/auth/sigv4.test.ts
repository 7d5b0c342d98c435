// AWS Signature Version 4. The expected signatures are computed here, from the published algorithm.

import { createHash, createHmac } from "node:crypto"
import { expect, it, onTestFinished } from "vitest"
import { startApi } from "../harness/api-server.ts"
import { callsheet } from "../harness/callsheet.ts"

const secretKey = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
const sessionToken = "kettle-session-47/+="

const hash = (text: string) => createHash("sha256").update(text).digest("hex")
const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest()

it("signs the method, path, query, headers and body, and the session token", async () => {
  const api = await startApi({ "*": { body: {} } })
  onTestFinished(() => api.close())
  const names = ["accessKeyId", "secretAccessKey", "sessionToken", "region"]
  const optional = { type: "string", required: false }
  const block = {
    id: "add",
    type: "request",
    request: {
      api: "shop",
      operation: "addItem",
      overrides: { params: { path: { name: "a b/ü" }, query: { z: "1", a: "x y+&=~*" } }, body: { n: "ü" } },
    },
  }
  const { exitCode, stdout, stderr } = await callsheet(["run", "one", "--json"], {
    files: {
      "apis/shop/openapi.json": {
        openapi: "3.0.3",
        info: { title: "Shop", version: "1" },
        components: {
          securitySchemes: {
            sigv4: {
              type: "apiKey",
              name: "Authorization",
              in: "header",
              "x-amazon-apigateway-authtype": "awsSigv4",
            },
          },
        },
        paths: {
          "/items/{name}": {
            post: {
              operationId: "addItem",
              security: [{ sigv4: [] }],
              parameters: [
                { name: "name", in: "path", required: true, schema: { type: "string" } },
                { name: "a", in: "query", schema: { type: "string" } },
                { name: "z", in: "query", schema: { type: "string" } },
              ],
              requestBody: { content: { "application/json": { schema: { type: "object" } } } },
              responses: { 200: { description: "Done." } },
            },
          },
        },
      },
      "apis/shop/environments/schema.json": {
        version: 1,
        variables: {
          baseUrl: { type: "string", required: true },
          ...Object.fromEntries(names.map((name) => [`sigv4_${name}`, optional])),
        },
      },
      "apis/shop/environments/local.json": {
        baseUrl: api.url,
        sigv4_accessKeyId: "AKIDEXAMPLE",
        sigv4_secretAccessKey: secretKey,
        sigv4_sessionToken: sessionToken,
        sigv4_region: "eu-central-1",
      },
      "apis/workflow/one.json": { version: 1, blocks: [block] },
    },
  })
  expect(exitCode).toBe(0)
  for (const secret of [secretKey, sessionToken]) expect(`${stdout}${stderr}`).not.toContain(secret)
  const [request] = api.requests
  const headers = request?.headers ?? {}
  expect(headers["x-amz-security-token"]).toBe(sessionToken)
  const [, scope = "", signed = "", signature] =
    /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/(\S+), SignedHeaders=(\S+), Signature=(\S+)$/.exec(
      String(headers.authorization),
    ) ?? []
  expect(signed.split(";")).toEqual(
    expect.arrayContaining(["host", "content-type", "x-amz-date", "x-amz-security-token"]),
  )
  const date = String(headers["x-amz-date"])
  expect(scope).toBe(`${date.slice(0, 8)}/eu-central-1/execute-api/aws4_request`)
  const encode = (text: string) =>
    encodeURIComponent(text).replaceAll(
      /[!'()*]/g,
      (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
    )
  const path = request?.path.split("/").map(encode).join("/")
  const query = [...(request?.query ?? [])]
    .map((pair) => pair.map(encode).join("="))
    .sort()
    .join("&")
  const canonical = [
    "POST",
    path,
    query,
    ...signed.split(";").map((name) => `${name}:${String(headers[name]).trim()}`),
    "",
    signed,
    hash(request?.text ?? ""),
  ].join("\n")
  const key = ["eu-central-1", "execute-api", "aws4_request"].reduce<Buffer>(
    hmac,
    hmac(`AWS4${secretKey}`, date.slice(0, 8)),
  )
  const text = ["AWS4-HMAC-SHA256", date, scope, hash(canonical)].join("\n")
  expect(signature).toBe(hmac(key, text).toString("hex"))
})
