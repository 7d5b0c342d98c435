// Reads the declarations of the SDK that callsheet depends on.

import { ownFiles } from "./own-files.ts"

/** Returns the SDK's declaration files, each as its name and text. */
export const readSdkDeclarations = (): readonly (readonly [string, string])[] =>
  ["index.d.ts", "paths.d.ts"].map((name) => [
    name,
    ownFiles.readFromPackage("@callsheet/sdk", `src/${name}`).replaceAll("\r\n", "\n"),
  ])
