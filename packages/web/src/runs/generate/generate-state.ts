// The open dialog that generates tests.

import { create } from "zustand"
import type { TestChoice } from "@callsheet/server/calls"

export const useGenerate = create<{ readonly shown: TestChoice | undefined }>(() => ({ shown: undefined }))

export const showGenerate = (shown: TestChoice | undefined): void => useGenerate.setState({ shown })
