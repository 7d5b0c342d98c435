// The size of tests that draw samples or write large inputs: `FULL_SIZE=1 npx vitest run` takes all of them.

/** Returns the second size if `FULL_SIZE` is set. */
export const sized = (usual: number, full: number): number =>
  process.env["FULL_SIZE"] === undefined ? usual : full
