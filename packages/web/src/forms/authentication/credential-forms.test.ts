import { describe, expect, it } from "vitest"
import {
  credentialForms,
  faultOfField,
  kindsByHand,
  paramText,
  variablesOf,
  type CredentialForm,
  type WantedCredential,
} from "./credential-forms.ts"

const header = { in: "header", name: "Authorization" } as const
const bearer: WantedCredential = { kind: "bearer", scheme: "session", variable: "session", place: header }
const basic: WantedCredential = { ...bearer, kind: "basic" }
const oauth: WantedCredential = { ...bearer, oauth: { flows: ["password"], scopes: [] } }
const typed = (values: Readonly<Record<string, string>>) => new Map(Object.entries(values))

function formOf(wanted: WantedCredential, id?: string): CredentialForm {
  const form = credentialForms(wanted).find((one) => id === undefined || one.id === id)
  if (form === undefined) throw new Error("there is no such form")
  return form
}

describe("the form of a credential", () => {
  it("stores a token in the scheme's own variable, which needs no parameter", () => {
    expect(variablesOf(bearer, formOf(bearer), { typed: typed({ "": "t" }), name: "session" })).toEqual([
      { name: "session", value: "t", isSecret: true },
    ])
    expect(paramText(bearer, "session")).toBeUndefined()
    expect(paramText(bearer, "other")).toBe("Bearer {{other}}")
  })

  it("stores a user and password as the scheme expects them, and encoded without a scheme", () => {
    const input = { typed: typed({ user: "ada", password: "x:y" }), name: "staff" }
    expect(variablesOf(basic, formOf(basic), input)).toEqual([
      { name: "staff", value: "ada:x:y", isSecret: true },
    ])
    const byHand = kindsByHand.find(({ kind }) => kind === "basic") ?? basic
    expect(variablesOf(byHand, formOf(byHand), input)).toEqual([
      { name: "staff", value: btoa("ada:x:y"), isSecret: true },
    ])
    expect(paramText(byHand, "staff")).toBe("Basic {{staff}}")
  })

  it("offers the document's flows and a ready token, and stores the grant that the user chose", () => {
    expect(credentialForms(oauth).map(({ id }) => id)).toEqual(["password", "token"])
    expect(
      variablesOf(oauth, formOf(oauth, "password"), {
        typed: typed({ username: "ada", password: "p", clientId: "" }),
        name: "session",
      }),
    ).toEqual([
      { name: "session_username", value: "ada", isSecret: false },
      { name: "session_password", value: "p", isSecret: true },
      { name: "session_grant", value: "password", isSecret: false },
    ])
  })

  it("refuses an empty value and a user with a colon", () => {
    const [user, password] = formOf(basic).fields
    expect(user && faultOfField(user, "a:b")).toContain("colon")
    expect(password && faultOfField(password, "")).toContain("first")
    expect(password && faultOfField(password, "a:b")).toBeUndefined()
  })
})
