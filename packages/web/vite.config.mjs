// Builds the page for a strict Content-Security-Policy: nothing inline, and nothing from other origins.

import react from "@vitejs/plugin-react"
import { fileURLToPath } from "node:url"

const web = fileURLToPath(new URL("src", import.meta.url))

/** Writes the whole page to `outDir`. */
export const pageConfig = (outDir) => ({
  root: web,
  // The build must not depend on other configuration files or on environment variables.
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
    // The policy allows no `data:` URLs, so inline no fonts or images.
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    // The page and the code editor are larger than Vite's default limit. A test checks their sizes.
    chunkSizeWarningLimit: 1000,
  },
})
