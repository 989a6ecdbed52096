import { ratio } from '#kit/model/statistic.ts'
import type { Routes } from '#kit/server/http/route.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { defineCounting, serveStatistic } from '#kit/server/statistic/statistic.ts'
import { resource, statistic } from './model.ts'

const among = (...reached: readonly string[]) =>
  `count(*) filter (where t.reached in (${reached.map(step => `'${step}'`).join(', ')}))`

export const counting = defineCounting({
  sources: {
    numbers: {
      table: 'number_row',
      time: 'created_at',
      sums: {
        imported: 'count(*)',
        waiting: among('IMPORTED'),
        contacted: among('CONTACTED', 'ADDED', 'REGISTERED', 'PAID'),
        added: among('ADDED', 'REGISTERED', 'PAID'),
        registered: among('REGISTERED', 'PAID'),
        paid: among('PAID'),
        invalid: `count(*) filter (where t.result = 'INVALID')`,
      },
      by: { batch: 'batch_id', owner: 'held_by' },
      filters: ['batchId', 'heldBy'],
    },
  },
  values({ numbers }) {
    const [imported, waiting, paid] = [numbers.imported ?? 0, numbers.waiting ?? 0, numbers.paid ?? 0]
    return {
      imported,
      waiting,
      allocated: imported - waiting,
      contacted: numbers.contacted ?? 0,
      added: numbers.added ?? 0,
      registered: numbers.registered ?? 0,
      paid,
      paidRate: ratio(paid, imported),
      invalid: numbers.invalid ?? 0,
    }
  },
})

export const routes: Routes = app => [...serve(resource)(app), ...serveStatistic(statistic, counting)(app)]
