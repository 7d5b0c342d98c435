// The last announcement of the workflow editor. It is shown below the outline and read by screen readers.

import { create } from "zustand"

export const useStatusMessage = create<{ readonly words: string }>(() => ({ words: "" }))

export const say = (words: string): void => useStatusMessage.setState({ words })
