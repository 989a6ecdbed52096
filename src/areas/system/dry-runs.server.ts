import { Lanes } from '#kit/server/database/lanes.ts'

/** One dry run of a person at a time, of a chain or a script: all scripts that are tried wait in one line, and others are in it too. */
export const dryRuns = new Lanes(10_000, 100)
