import { sql } from 'kysely'
import { onField, refuse } from '#kit/model/refusal.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { defineJob } from '#kit/server/work/job.ts'
import { countAdLines } from './counting.server.ts'
import { resource } from './model.ts'
import { spendImport } from './spend-import.server.ts'

export const routes = serve(resource, {
  async store(op, input, _before, write) {
    if (input.clicks > input.views) throw onField('clicks', refuse('clicks-above-views'))
    const id = await write(input)
    await countAdLines(op, sql`a.id = ${id}`)
    return id
  },
  constraints: { ad_line_once: { code: 'line-known', field: 'plan' } },
})
export const imports = [spendImport]

const count = defineJob({
  name: 'count-ad-lines',
  cron: '30 */5 * * * *',
  misfire: 'SKIP',
  work: change => countAdLines(change),
})
export const jobs = [count]
