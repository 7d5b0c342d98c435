// Collects the app's responses about environments, and about changes of variables.

import type { Ask, CanaryTexts } from "./application.ts"
import { numberName, variableName } from "./project.ts"

/** Every response about environments, with canaries in each field that accepts text. */
export async function askOfEnvironments(ask: Ask, texts: CanaryTexts): Promise<void> {
  const place = { api: "shop", environment: "page" }
  const etagOf = async (environment: string): Promise<string | null> => {
    const { environments } = await ask(undefined, "environments.read", { api: "shop" })
    const all = environments as readonly { readonly name: string; readonly etag: string }[]
    return all.find(({ name }) => name === environment)?.etag ?? null
  }
  const write = async (label: string, set: object): Promise<void> => {
    await ask(label, "environments.write", { ...place, etag: await etagOf("page"), set, unset: [] })
  }
  const byName = (name: (index: number) => string) =>
    Object.fromEntries(texts.map(([index, text]) => [name(index), text]))
  await ask("environments.create", "environments.create", { ...place, extends: "committed", level: null })
  await write("environments.write", byName(variableName))
  await write("environments.write with wrong types", byName(numberName))
  await write(
    "environments.write with unknown names",
    byName((index) => `u${index}`),
  )
  await ask("environments.read", "environments.read", { api: "shop" })
  await planChanges(ask, texts, "next to a broken file")
  const broken = { ...place, environment: "broken", etag: await etagOf("broken") }
  await ask("environments.delete", "environments.delete", broken)
  await planChanges(ask, texts, "of valid files")
  const [[, first] = [0, ""]] = texts
  await ask("environments.settings", "environments.settings", {
    ...place,
    etag: "0".repeat(64),
    extends: first,
    level: null,
    verify: null,
  })
  const to = "turned"
  await ask("environments.rename", "environments.rename", { ...place, etag: await etagOf("page"), to })
  const turned = { ...place, environment: to, etag: await etagOf(to) }
  await ask("environments.rename back", "environments.rename", { ...turned, to: "page" })
  // This call exists to show a secret, so only its terminal output is checked.
  for (const purpose of ["show", "copy"])
    await ask(undefined, "secrets.reveal", { ...place, variable: variableName(0), purpose })
  await ask("secrets.reveal of an unknown one", "secrets.reveal", {
    ...place,
    variable: numberName(0),
    purpose: "show",
  })
}

async function planChanges(ask: Ask, texts: CanaryTexts, where: string): Promise<void> {
  const [[index, text] = [0, ""]] = texts
  const name = variableName(index)
  const plan = (label: string, change: object) =>
    ask(`schemas.plan ${label}, ${where}`, "schemas.plan", { api: "shop", change })
  const secret = { type: "string", required: false, secret: true, description: `with ${text}` }
  await plan("of a new one", {
    do: "add",
    name: "fresh",
    declaration: { ...secret, default: text },
  })
  await plan("of a wrong default", {
    do: "add",
    name: "fresh",
    declaration: { type: "number", required: false, default: text },
  })
  await plan("of another type", {
    do: "change",
    name,
    declaration: { type: "boolean", required: true },
  })
  for (const secretValues of ["keep", "move", undefined])
    await plan(`of no secret: ${secretValues}`, {
      do: "change",
      name,
      declaration: { type: "string", required: false },
      ...(secretValues === undefined ? {} : { secretValues }),
    })
  await plan("of an unknown one", { do: "delete", name })
  await plan("of a new name", { do: "rename", name, to: "renamed" })
  const { plan: known } = await plan("of a secret default", {
    do: "add",
    name: `late-${where.length}`,
    declaration: { ...secret, default: text },
  })
  for (const again of ["", " again"])
    await ask(`plans.apply${again}, ${where}`, "plans.apply", { plan: known ?? "none" })
}
