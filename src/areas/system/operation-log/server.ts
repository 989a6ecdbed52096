import type { Diff } from '#kit/server/change/audit.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { resource } from './model.ts'
import { changesInWords, inWords, whyRefused } from './words.server.ts'

export const routes = serve(resource, {
  named: inWords,
  async detail(app, { id, page }, language) {
    const { diff, code } = await app.db.query
      .selectFrom('operation_log')
      .select(['diff', 'code'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return {
      why: whyRefused(app, code, language),
      changes: await changesInWords(app, page, diff as Diff, language),
    }
  },
})
