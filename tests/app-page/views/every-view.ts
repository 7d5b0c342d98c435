// Every view and every dialog of the page. Those of runs are in order, because a view may show a previous view's run.

import { environmentViews } from "./environment-views.ts"
import { projectViews } from "./project-views.ts"
import { runningViews } from "./running-views.ts"
import type { ShownView } from "./shown-view.ts"
import { workflowViews } from "./workflow-views.ts"

export const everyView: readonly ShownView[] = [
  ...projectViews,
  ...environmentViews,
  ...workflowViews,
  ...runningViews,
]
