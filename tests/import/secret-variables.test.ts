// The names of variables that hold secrets: those of the source, and readable ones for secrets that it writes literally.

import { describe, expect, it } from "vitest"
import { readText } from "../harness/callsheet.ts"
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
          { key: "clientSecret", value: "clientSecret" },
        ],
        item: [login("Log in", { password: "{{invalidPassword}}", client: "{{clientSecret}}" })],
      },
    })
    const { exitCode, result } = await importInto(folder, ["c.json"])
    expect([exitCode, result?.losses]).toEqual([0, []])
    expect(await readJson(folder, "apis/shop/requests/shop/log-in.json")).toMatchObject({
      body: { password: "{{invalidPassword}}", client: "{{clientSecret}}" },
    })
    expect(await readText(folder, "apis/shop/environments/default.secrets.env")).toBe(
      "invalidPassword=invalid_password\nclientSecret=clientSecret\n",
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
        "",
      ].join("\n"),
    )
    expect((await importInto(folder, ["c.json"])).result?.files).toEqual([])
  })
})
