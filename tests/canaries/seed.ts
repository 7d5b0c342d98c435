// The seed of the canaries: `CANARY_SEED=2 npm run test:canaries` plants others.

export const seed = Number(process.env["CANARY_SEED"] ?? 1)
process.stdout.write(`canaries of seed ${seed}: CANARY_SEED=${seed} npm run test:canaries\n`)
