import { symlinkSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { resolveWorkflowArgument } from "./resolve-workflow-argument.ts"
import { temporaryProject } from "../testing/temporary-project.ts"

const project = () =>
  temporaryProject({
    "apis/workflow/checkout.json": "{",
    "apis/workflow/a.json.json": "{",
    "apis/shop/checkout.json": "{",
  })

const resolveIn = (root: string, folder: string, argument: string) =>
  resolveWorkflowArgument({ root, cwd: join(root, folder), argument })

describe("resolveWorkflowArgument", () => {
  it("accepts a name, or a workflow file's path from the working directory", () => {
    const root = project()
    expect(resolveIn(root, ".", "checkout")).toBe("checkout")
    expect(resolveIn(root, ".", "apis/workflow/checkout.json")).toBe("checkout")
    expect(resolveIn(root, ".", "./apis/shop/../workflow/checkout.json")).toBe("checkout")
    expect(resolveIn(root, "apis/workflow", "checkout.json")).toBe("checkout")
    expect(resolveIn(root, ".", join(root, "apis/workflow/checkout.json"))).toBe("checkout")
    expect(resolveIn(root, ".", "a.json")).toBe("a.json")
    const link = join(temporaryProject({}), "link")
    symlinkSync(root, link)
    expect(resolveWorkflowArgument({ root, cwd: link, argument: "apis/workflow/checkout.json" })).toBe(
      "checkout",
    )
  })

  it.each([
    "chekout",
    "checkout.json",
    "apis/shop/checkout.json",
    "apis/workflow/chekout.json",
    "../checkout",
    "",
    "/",
  ])("rejects %j", (argument) => {
    expect(() => resolveIn(project(), ".", argument)).toThrow(
      expect.objectContaining({ code: "workflow-unknown" }),
    )
  })

  it("suggests the likely name", () => {
    expect(() => resolveIn(project(), ".", "apis/workflow/chekout.json")).toThrow(
      expect.objectContaining({ hint: 'did you mean "checkout"?' }),
    )
    expect(() => resolveIn(temporaryProject({ "apis/x": "" }), ".", "x")).toThrow(
      expect.objectContaining({ hint: expect.stringContaining("no workflows") as string }),
    )
  })
})
