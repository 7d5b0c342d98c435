// The versions of the site. scripts/site.mjs builds each one, and tells it about the others.

export interface Version {
  readonly version: string
  /** The directory below the root of the site, such as `v1.2/`. The newest version is at the root itself. */
  readonly path: string
}

const all: readonly Version[] = JSON.parse(process.env.SITE_VERSIONS ?? "[]")

/** The version that is built. Undefined in a build of the working directory. */
export const version = all.find((one) => one.version === process.env.SITE_VERSION)

/** The menu of versions. Empty in a build of the working directory. */
export const versionMenu =
  version === undefined
    ? []
    : [
        {
          text: `v${version.version}`,
          items: all.map((one) => ({
            text: `v${one.version}${one.path === "" ? " (latest)" : ""}`,
            // VitePress puts the path of its own version first. With a target, it leaves the link to the browser.
            link: `/${version.path === "" ? "" : "../"}${one.path}`,
            target: "_self",
            activeMatch: one === version ? "." : "^$",
          })),
        },
      ]
