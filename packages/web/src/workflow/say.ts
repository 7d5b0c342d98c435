// What the editor of workflows says of the last act: shown below the outline, and read out.

import { create } from "zustand"

export const useSaid = create<{ readonly words: string }>(() => ({ words: "" }))

export const say = (words: string): void => useSaid.setState({ words })
