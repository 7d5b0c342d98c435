// Opens a fresh project with forms in a fresh page before each test.

import type { Page } from "playwright-core"
import { afterEach, beforeEach } from "vitest"
import { useBrowser, type OpenOptions } from "./browser.ts"
import { startFormProject, type FormProject } from "./form-project.ts"

interface Opened {
  readonly project: FormProject
  readonly page: Page
}

/** `keep` receives the project and the page of each test. The project is closed after it. */
export function useFormProject(options: OpenOptions, keep: (opened: Opened) => void): void {
  const { open } = useBrowser()
  let project: FormProject
  beforeEach(async () => {
    project = await startFormProject()
    keep({ project, page: await open(await project.link(), options) })
  })
  afterEach(() => project.close())
}
