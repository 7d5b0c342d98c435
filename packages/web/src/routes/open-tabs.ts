// The tabs above the main pane: open files and pages. A reload of the window keeps them.

import { create } from "zustand"
import { attempt } from "@callsheet/format"
import type { ProjectView } from "@callsheet/server/calls"
import { keep, readKept } from "../connection/window-storage.ts"
import { hashOf, routeOf, type Route } from "./route.ts"
import { goTo } from "./use-route.ts"

export interface OpenTab {
  readonly key: string
  /** The route that the tab showed last. */
  readonly route: Route
}

export interface OpenTabs {
  /** Without the overview, which is always open. */
  readonly tabs: readonly OpenTab[]
  /** The key of the tab that the next file replaces. */
  readonly preview?: string | undefined
  /** The key of the tab that was shown last. New tabs open after it. */
  readonly shown: string
}

const overview: Route = { kind: "overview" }
export const overviewTab: OpenTab = { key: hashOf(overview), route: overview }

/** All environments of an API share a tab. */
export const tabKey = (route: Route): string =>
  hashOf(route.kind === "environment" ? { kind: "environments", api: route.api } : route)

/** Shows a route in its tab, in the preview tab, or in a new tab after the one that was shown. */
function withRoute(open: OpenTabs, route: Route, isLasting = false): OpenTabs {
  const { tabs, preview, shown } = open
  const tab = { key: tabKey(route), route }
  if (tab.key === overviewTab.key) return { ...open, shown: tab.key }
  const known = tabs.findIndex(({ key }) => key === tab.key)
  const index = known !== -1 || isLasting ? known : tabs.findIndex(({ key }) => key === preview)
  if (index !== -1) {
    const isKept = isLasting && preview === tab.key
    return {
      tabs: tabs.with(index, tab),
      preview: known === -1 ? tab.key : isKept ? undefined : preview,
      shown: tab.key,
    }
  }
  const after = shown === overviewTab.key ? tabs.length : tabs.findIndex(({ key }) => key === shown) + 1
  return {
    tabs: tabs.toSpliced(after, 0, tab),
    preview: isLasting ? preview : tab.key,
    shown: tab.key,
  }
}

const storageKey = "callsheet tabs"

export const useOpenTabs = create<OpenTabs>(() => keptTabs())

useOpenTabs.subscribe(({ tabs, preview }) =>
  keep(storageKey, JSON.stringify([preview ?? "", ...tabs.map(({ route }) => hashOf(route))])),
)

function keptTabs(): OpenTabs {
  const kept: unknown = attempt(() => JSON.parse(readKept(storageKey) ?? ""))
  const [preview, ...hashes] = Array.isArray(kept) ? kept.map(String) : []
  const routes = hashes.map(routeOf)
  return { tabs: routes.map((route) => ({ key: tabKey(route), route })), preview, shown: overviewTab.key }
}

export const showInTab = (route: Route): void => useOpenTabs.setState((open) => withRoute(open, route))

/** Opens a tab that no other file replaces. */
export function openTab(route: Route): void {
  useOpenTabs.setState((open) => withRoute(open, route, true))
  goTo(route)
}

export const keepTab = (key: string): void =>
  useOpenTabs.setState(({ preview }) => (preview === key ? { preview: undefined } : {}))

/** Closes a tab. If it is shown, goes to the next one, or to `next` if there is none. */
export function closeTab(closed: Route, next = overview): void {
  const { tabs } = useOpenTabs.getState()
  const index = tabs.findIndex(({ key }) => key === tabKey(closed))
  const left = tabs.filter((_, at) => at !== index)
  useOpenTabs.setState({ tabs: left })
  if (tabKey(routeOf(window.location.hash)) !== tabKey(closed)) return
  goTo((index === -1 ? undefined : (left[index] ?? left.at(-1))?.route) ?? next)
}

/** Call this after a file was renamed. Its tab stays in its place, and shown if it was. */
export function renameTab(from: Route, to: Route): void {
  useOpenTabs.setState(({ tabs, preview }) => ({
    tabs: tabs.map((tab) => (tab.key === tabKey(from) ? { key: tabKey(to), route: to } : tab)),
    preview: preview === tabKey(from) ? tabKey(to) : preview,
  }))
  if (tabKey(routeOf(window.location.hash)) === tabKey(from)) goTo(to)
}

export function moveTab(key: string, to: number): void {
  const { tabs } = useOpenTabs.getState()
  const tab = tabs.find((one) => one.key === key)
  if (tab === undefined || to < 0 || to >= tabs.length) return
  useOpenTabs.setState({ tabs: tabs.filter((one) => one !== tab).toSpliced(to, 0, tab) })
  keepTab(key)
}

/** Closes the tabs of files that are no longer in the project, except the one that is shown. */
export function closeGoneTabs({ apis, workflows, suites = [] }: ProjectView): void {
  const isThere = ({ key, route }: OpenTab): boolean => {
    if (key === useOpenTabs.getState().shown) return true
    if ("workflow" in route) return workflows.some(({ name }) => name === route.workflow)
    if ("suite" in route) return suites.includes(route.suite)
    if (!("api" in route)) return true
    const api = apis.find(({ name }) => name === route.api)
    return route.kind !== "request" || api === undefined
      ? api !== undefined
      : api.requests.some(({ resource, name }) => resource === route.resource && name === route.request)
  }
  const { tabs } = useOpenTabs.getState()
  if (!tabs.every(isThere)) useOpenTabs.setState({ tabs: tabs.filter(isThere) })
}
