// Builds the page as files that run under a strict Content-Security-Policy: nothing inline, nothing from other origins.

import react from "@vitejs/plugin-react"
import { fileURLToPath } from "node:url"

const web = fileURLToPath(new URL("src", import.meta.url))

/** Into `outDir`, which takes the whole page. */
export const pageConfig = (outDir) => ({
  root: web,
  // Neither a file beside this one nor the environment of whoever builds has a say.
  configFile: false,
  envDir: false,
  base: "./",
  logLevel: "warn",
  plugins: [react()],
  build: {
    outDir,
    emptyOutDir: true,
    target: "es2023",
    modulePreload: false,
    // A `data:` in the stylesheet would be a font or an image that no header speaks of.
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    // The page, and the code editor that is loaded when the first text is opened; a test holds what they weigh.
    chunkSizeWarningLimit: 1000,
  },
})
