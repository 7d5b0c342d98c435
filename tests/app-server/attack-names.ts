// Names that would lead out of the project if they were used as paths.

/** Pairs of targets: one that exists on most machines, and one that exists nowhere. */
const targets = [
  ["etc/passwd", "etc/passwd-nowhere"],
  ["etc", "nowhere-at-all"],
  ["proc/self/environ", "proc/self/nowhere"],
  ["Windows/win.ini", "Windows/nowhere.ini"],
] as const

const steps = [
  "../",
  "..\\",
  "./../",
  "%2e%2e/",
  "%2e%2e%2f",
  "..%2f",
  "..%5c",
  "%252e%252e%252f",
  "..;/",
  "....//",
  "..%c0%af",
  "．．/",
  "..\u0000/",
]
const depths = [1, 3, 8]
const ends = ["", "\u0000", "\u0000.json", ".", " "]
const roots = [
  "/",
  "//",
  "\\\\?\\C:\\",
  "\\\\server\\share\\",
  "C:/",
  "C:",
  "file:///",
  "~/",
  "/./",
  "shop/../../",
]
const devices = ["con", "NUL", "nul.json", "com1", "LPT1", "aux.", "prn ", "CONIN$", "com¹"]
export const odd: readonly string[] = [
  "", ".", "..", "...", " ", "shop ", " shop", "shop.", "shop/", "/shop", "shop\\", "shop\u0000", "shop\n", "shop#x", "shop?x",
  "Shop", "SHOP", "ſhop", "shop\u0301", "ｓｈｏｐ", "workflow", "__proto__", "-shop", "_shop", "shop.json", "*", "shop*", "{shop,x}",
  "a".repeat(256) + "/..", "A".repeat(100_000), "\ud800", "shop:stream", "shop::$DATA", "$HOME", "`id`", "$(id)", "%00", "shop%00",
] // oxfmt-ignore

/** Each name, with another that differs only in its target if there is one. */
export function namePairs(): readonly (readonly [string, string])[] {
  const climbing = targets.flatMap(([there, nowhere]) =>
    steps.flatMap((step) =>
      depths.flatMap((depth) =>
        ends.slice(0, depth === 3 ? ends.length : 1).map((end): readonly [string, string] => {
          const up = step.repeat(depth)
          return [`${up}${there}${end}`, `${up}${nowhere}${end}`]
        }),
      ),
    ),
  )
  const absolute = roots.flatMap((root) =>
    targets.map(([there, nowhere]): readonly [string, string] => [`${root}${there}`, `${root}${nowhere}`]),
  )
  return [
    ...climbing,
    ...absolute,
    ...[...devices, ...odd].map((name): readonly [string, string] => [name, name]),
  ]
}
