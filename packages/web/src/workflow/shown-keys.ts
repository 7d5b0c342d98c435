// Keys as the person's keyboard names them.

const isMac = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? "")

export const shown = (keys: string): string => (isMac ? keys.replace("Ctrl", "Cmd") : keys)
