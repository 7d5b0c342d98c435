// Opens a fresh page before each test, with the files of a project with forms as they were at the start.

import type { Page } from "playwright-core"
import { afterAll, beforeAll, beforeEach } from "vitest"
import { useBrowser, type OpenOptions } from "./browser.ts"
import { startFormProject, type FormProject } from "./form-project.ts"

interface Opened {
  readonly project: FormProject
  readonly page: Page
}

/**
 * `keep` receives the project and the page of each test. The app is that of the whole file, because its start takes
 * longer than most tests. `prepare` changes the files before the page opens.
 */
export function useFormProject(
  options: OpenOptions,
  keep: (opened: Opened) => void,
  prepare: (project: FormProject) => Promise<void> = async () => undefined,
): void {
  const { open } = useBrowser()
  let project: FormProject
  beforeAll(async () => {
    project = await startFormProject()
  })
  beforeEach(async () => {
    const link = await project.reset()
    await prepare(project)
    keep({ project, page: await open(link, options) })
  })
  afterAll(() => project.close())
}
