import { expect, it } from "vitest"
import { groupLosses, needAttention, severities, type ReportedLoss } from "./losses.ts"
import { exportReasons } from "./export/messages.ts"
import { reasons } from "./messages.ts"

const lossOf = ({ severity, group, message }: ReturnType<(typeof reasons)["disabled"]>): ReportedLoss => ({
  where: "shop.json",
  what: "item",
  reason: message,
  group,
  severity,
})

it("asks for attention unless all losses are information", () => {
  const harmless = [reasons.disabled(), reasons.response(), reasons.color(), reasons.tags()].map(lossOf)
  expect(needAttention([])).toBe(false)
  expect(needAttention(harmless)).toBe(false)
  expect(needAttention([...harmless, lossOf(reasons.script("a.ts"))])).toBe(true)
  expect(needAttention([lossOf(reasons.setting())])).toBe(true)
})

it("groups losses with the same cause, by severity and then by number, and names a reason that all share", () => {
  const losses = [
    reasons.disabled(),
    reasons.script("a.ts"),
    reasons.script("b.ts"),
    reasons.host(),
    reasons.setting(),
    reasons.setting(),
  ].map(lossOf)
  expect(
    groupLosses(losses).map(({ severity, group, reason, losses: { length } }) => [
      severity,
      group,
      reason,
      length,
    ]),
  ).toEqual([
    ["changes-results", "unsupported settings", "callsheet doesn't support this setting", 2],
    ["changes-results", "headers left out", "callsheet always sends the host of the URL", 1],
    ["needs-hand", "scripts to finish", undefined, 2],
    ["information", "disabled items", "it is disabled in the source", 1],
  ])
})

it("has one severity per group, so that a group isn't listed twice", () => {
  for (const table of [reasons, exportReasons]) {
    const found = Object.values<(...facts: never[]) => ReturnType<(typeof reasons)["disabled"]>>(table).map(
      (reason) => reason(...([] as never[])),
    )
    const bySeverity = new Map(found.map(({ severity, group }) => [group, severity]))
    for (const { severity, group } of found) expect([group, severity]).toEqual([group, bySeverity.get(group)])
    expect(found.every(({ severity }) => severities.includes(severity))).toBe(true)
  }
})
