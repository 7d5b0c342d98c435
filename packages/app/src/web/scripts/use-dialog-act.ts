// What a dialog does when it is answered: once at a time, and it stays with the reason where something stands in the way.

import { useRef, useState } from "react"

export interface DialogAct {
  readonly fault: string | undefined
  /** Says the objection, or acts and closes. `act` resolves to what stood in the way. */
  readonly submit: (objection: string | undefined, act: () => Promise<string | undefined>) => void
}

export function useDialogAct(onClose: () => void): DialogAct {
  const [fault, setFault] = useState<string>()
  const isBusy = useRef(false)
  const submit: DialogAct["submit"] = (objection, act) => {
    setFault(objection)
    if (objection !== undefined || isBusy.current) return
    isBusy.current = true
    void act().then((hindrance) => {
      isBusy.current = false
      if (hindrance === undefined) onClose()
      else setFault(hindrance)
    })
  }
  return { fault, submit }
}
