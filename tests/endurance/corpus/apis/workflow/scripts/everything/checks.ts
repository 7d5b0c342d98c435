// The functions that the workflow of the corpus calls. None of them is ever run.

export const work = () => ({ answer: 42 })
export const ask = () => true
export const see = () => undefined
export const pause = () => undefined
