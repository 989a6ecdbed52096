import { onField } from '#kit/model/refusal.ts'
import { dayOf } from '#kit/model/time.ts'
import type { App } from '#kit/server/app.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import type { Routes } from '#kit/server/http/route.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { agree, asking, endings } from '#kit/server/work/agreement.ts'
import { DAYS_TO_DECIDE, resource, sensible, whyNotFrom, whyNotTo, workflow } from './model.ts'

const { effects, undo, jobs, invariants: agreed } = endings(resource, workflow)

const served = (app: App) =>
  serve(resource, {
    workflow,
    facts: async (_db, rows) => new Map(rows.map(({ id }) => [id, { today: dayOf(app.clock.now()) }])),
    async store(op, input, _before, write) {
      const price = sensible(input)
      if ('refusal' in price) throw onField(price.field, price.refusal)
      const early = whyNotFrom(price.validFrom, dayOf(op.now))
      if (early) throw onField('validFrom', early)
      return write({ ...price, ...asking(op, DAYS_TO_DECIDE) })
    },
    effects: {
      ...effects,
      approve: (op, row) => agree(op, row, 'l1By', async () => ({})),
      async end(op, row, { validTo }) {
        const wrong = whyNotTo(row, validTo, dayOf(op.now))
        if (wrong) throw onField('validTo', wrong)
        return { validTo }
      },
    },
    undo,
  })

export const routes: Routes = app => served(app)(app)
export { jobs }

export const invariants: readonly Invariant[] = [...agreed]
