import { describe, expect, it } from "vitest"
import {
  chosenEnvironment,
  overrideOf,
  type ApiEnvironments,
  type EnvironmentChoices,
} from "./environment-choices.ts"

const api: ApiEnvironments = {
  api: "shop",
  environments: [
    { name: "local", level: "local" },
    { name: "staging", level: "staging" },
    { name: "live", level: "production" },
  ],
  chosen: "local",
}
const of = (name: string, isFresh = false) => ({ name, isFresh })
const none: EnvironmentChoices = { project: undefined, apis: new Map(), subjects: new Map() }

describe("the environment of an API", () => {
  it("is the workflow's, then the API's, then the project's, then the preset", () => {
    const project = { ...none, project: of("staging") }
    const apis = { ...project, apis: new Map([["shop", of("live", true)]]) }
    const all = { ...apis, subjects: new Map([["w", new Map([["shop", of("local")]])]]) }
    expect(chosenEnvironment(api, none, "w")).toBe("local")
    expect(chosenEnvironment(api, project, "w")).toBe("staging")
    expect(chosenEnvironment(api, apis, "w")).toBe("live")
    expect(chosenEnvironment(api, all, "w")).toBe("local")
    expect(chosenEnvironment(api, all, "other")).toBe("live")
    expect(overrideOf(api, all, "w")).toBe("local")
    expect(overrideOf(api, all, undefined)).toBe("live")
    expect(overrideOf(api, all, "other")).toBeUndefined()
  })

  it("is never a name that the API doesn't have", () => {
    expect(chosenEnvironment(api, { ...none, project: of("elsewhere") }, undefined)).toBe("local")
    expect(overrideOf(api, { ...none, apis: new Map([["shop", of("gone")]]) }, undefined)).toBeUndefined()
  })

  it("is production only if the user chose it since the page was opened", () => {
    const kept = { ...none, project: of("live") }
    expect(chosenEnvironment(api, kept, undefined)).toBe("local")
    expect(chosenEnvironment(api, { ...none, project: of("live", true) }, undefined)).toBe("live")
  })
})
