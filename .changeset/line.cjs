// How changesets writes a change into a changelog: as its author wrote it. `scripts/version.mjs` moves the lines on.

module.exports = {
  getReleaseLine: async ({ summary }) => `- ${summary.replace(/^- /, "")}`,
  getDependencyReleaseLine: async () => "",
}
