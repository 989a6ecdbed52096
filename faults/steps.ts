import fc from 'fast-check'
import { expect } from 'vitest'
import type { Change } from '../src/kit/server/app.ts'
import { ownChange } from '../src/kit/server/change/operation.ts'
import type { Answer } from '../tools/testing/instance.ts'
import { agree, type Model, type Real } from './model.ts'
import { rounds } from './rounds.ts'

export type Step = fc.AsyncCommand<Model, Real>
export const STEPS = rounds(10_000)
let taken = 0
export const stepsTaken = (): number => taken

export const step = (name: string, check: Step['check'], run: (model: Model, real: Real) => Promise<void>): Step => ({
  check: model => taken < STEPS && check(model),
  async run(model, real) {
    await run(model, real)
    await agree(model, real)
    taken += 1
  },
  toString: () => name,
})

/** A step on something the model has: three times of four on one that suits, else on any, to be refused. */
export const stepOn = <T>(
  name: string,
  of: (model: Readonly<Model>) => readonly T[],
  suits: (target: T, model: Readonly<Model>) => boolean,
  run: (model: Model, real: Real, target: T, at: number, roll: number) => Promise<void>,
) =>
  fc.tuple(fc.nat(100_000), fc.nat(3), fc.nat(100_000)).map(([nth, luck, roll]) =>
    step(
      `${name} ${nth}/${luck} (${roll})`,
      model => of(model).length > 0,
      (model, real) => {
        const all = of(model)
        const fit = all.filter(target => suits(target, model))
        const among = luck > 0 && fit.length > 0 ? fit : all
        const target = among[nth % among.length] as T
        return run(model, real, target, all.indexOf(target), roll)
      },
    ),
  )
export const orders = (model: Readonly<Model>) => model.orders
export const refunds = (model: Readonly<Model>) => model.refunds
export const parcels = (model: Readonly<Model>) => model.parcels

const SAID_NO = [4004, 4005, 4006]
/** The console does what the model says is right, and refuses everything else in words. */
export async function said<T>(answer: Promise<Answer<T>>, isRight: boolean): Promise<T> {
  const { code, msg, data } = await answer
  expect(isRight ? [0] : SAID_NO, `${code} ${msg}`).toContain(code)
  return data
}
export const work = <T>({ instance: { app } }: Real, of: (change: Change) => Promise<T>): Promise<T> =>
  app.db.write(tx => of(ownChange(app, tx, app.clock.now(), 'test')))
