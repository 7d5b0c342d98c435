// The names of secret variables: those of the source, and readable ones for secrets that it writes literally.

import { describe, expect, it } from "vitest"
import { callsheet, readText } from "../harness/callsheet.ts"
import { folderWith, importInto, readJson } from "./import-into.ts"

describe("the name of a secret's variable", () => {
  const login = (name: string, fields: object, path = "login") => ({
    name,
    request: {
      method: "POST",
      url: `https://a.example/${path}`,
      header: [{ key: "content-type", value: "application/json" }],
      body: { mode: "raw", raw: JSON.stringify(fields) },
    },
  })

  it("stays, if the value has the same letters", async () => {
    const folder = await folderWith({
      "c.json": {
        info: { name: "Shop" },
        variable: [
          { key: "invalidPassword", value: "invalid_password" },
          { key: "clientPassword", value: "client-password" },
        ],
        item: [login("Log in", { password: "{{invalidPassword}}", client: "{{clientPassword}}" })],
      },
    })
    const { exitCode, result } = await importInto(folder, ["c.json"])
    expect([exitCode, result?.losses]).toEqual([0, []])
    expect(await readJson(folder, "apis/shop/requests/shop/log-in.json")).toMatchObject({
      body: { password: "{{invalidPassword}}", client: "{{clientPassword}}" },
    })
    expect(await readText(folder, "apis/shop/environments/default.secrets.env")).toBe(
      "invalidPassword=invalid_password\nclientPassword=client-password\n",
    )
  })

  it("begins with the request, if another one has it", async () => {
    const folder = await folderWith({
      "c.json": {
        info: { name: "Shop" },
        item: [
          login("Log in", { password: "first-sample" }),
          login("Create a user for the shop", { password: "second-sample" }),
          login("Change password", { password: "third-sample" }),
          login("Log in again", { password: "second-sample", sessionId: "fourth-sample" }),
          login("Read", { id: "{{sessionId}}" }),
          login("Close", { sessionId: "fifth-sample" }),
        ],
      },
    })
    const imported = await importInto(folder, ["c.json"])
    expect(imported.exitCode).toBe(0)
    expect(await readText(folder, "apis/shop/environments/default.secrets.env")).toBe(
      [
        "password=first-sample",
        "createAUserForThePassword=second-sample",
        "changePassword=third-sample",
        "logInAgainSessionId=fourth-sample",
        "closeSessionId=fifth-sample",
        "",
      ].join("\n"),
    )
    expect((await importInto(folder, ["c.json"])).result?.files).toEqual([])
  })
})

it("lists a secret without a value as a variable to set, not as one that is kept", async () => {
  const folder = await folderWith({
    "c.json": {
      info: { name: "Shop" },
      variable: [
        { key: "apiKey", value: "" },
        { key: "note", value: "" },
        { key: "other_password", value: "sample-word" },
      ],
      auth: {
        type: "apikey",
        apikey: [
          { key: "key", value: "X-Api-Key" },
          { key: "value", value: "{{apiKey}}" },
        ],
      },
      item: [{ name: "A", request: { method: "GET", url: "https://a.example/x?note={{note}}" } }],
    },
  })
  const { stdout, stderr } = await callsheet(["import", "c.json"], { folder })
  expect(stderr).toBe("variables without a value: shop.apiKey; set them with callsheet env write\n")
  expect(stdout).toContain("named like secrets: shop.other_password\n")
  expect(stdout).not.toContain("used as credentials")
  const readme = await readText(folder, "README.md")
  expect(readme).toContain("`callsheet env write`: `shop.apiKey`.")
  expect(readme).toContain("aren't in git: `other_password`.")
})
