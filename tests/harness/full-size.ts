// The size of tests that draw samples or write large inputs: `npm run test:full-size` takes all of them.

/** Returns the second size if `FULL_SIZE` is set. */
export const sized = (usual: number, full: number): number =>
  process.env["FULL_SIZE"] === undefined ? usual : full
