/** Returns the path and query of an absolute URL, for lists in which all URLs have the same origin. */
export function pathAndQuery(url: string): string {
  const from = url.indexOf("/", url.indexOf("://") + 3)
  return from === -1 ? url : url.slice(from)
}
