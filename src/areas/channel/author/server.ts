import { addPartner, type NewPartner } from '#areas/channel/app-channel/making.server.ts'
import type { Routes } from '#kit/server/http/route.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { defineJob } from '#kit/server/work/job.ts'
import { countAuthors } from './counting.server.ts'
import { type Author, resource } from './model.ts'

export const routes: Routes = serve(resource, {
  async store(op, input, before, write) {
    if (before) return write(input)
    const { company, channel, contactName, contactPhone, contactEmail, ...author } = input as Author &
      Omit<NewPartner, 'name'>
    const { name } = author
    const partnerId = await addPartner(op, { name, company, channel, contactName, contactPhone, contactEmail })
    return write({ ...author, partnerId })
  },
  constraints: { author_account: { code: 'account-taken', field: 'account' } },
})

const count = defineJob({ name: 'count-authors', cron: '50 */5 * * * *', misfire: 'SKIP', work: countAuthors })
export const jobs = [count]
