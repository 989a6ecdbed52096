import { sql } from 'kysely'
import { memberNumbered } from '#areas/members/member/leads.server.ts'
import { addTags } from '#areas/members/member/tagging.server.ts'
import { belongs, staffHandedOver } from '#areas/organisation/staff/belongings.server.ts'
import { entryStays } from '#areas/system/dictionary/losing.server.ts'
import { squaresOf } from '#engines/copybook/code.server.ts'
import { onField, refuse } from '#kit/model/refusal.ts'
import { dayOf } from '#kit/model/time.ts'
import type { App, Change, Listener } from '#kit/server/app.ts'
import { listen } from '#kit/server/change/announce.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import { answer } from '#kit/server/change/question.ts'
import { writeChange } from '#kit/server/change/step.ts'
import { ownWords } from '#kit/server/choice/built-in-dictionary.ts'
import { wordIn } from '#kit/server/choice/dictionary.ts'
import type { Routes } from '#kit/server/http/route.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { defineJob } from '#kit/server/work/job.ts'
import { countChannels } from './counting.server.ts'
import { CODE, isInForce, resource, workflow } from './model.ts'

const DICTIONARY = 'CHANNEL'

const served = (app: App) =>
  serve(resource, {
    workflow,
    facts: async (_db, rows) => new Map(rows.map(({ id }) => [id, { today: dayOf(app.clock.now()) }])),
    async store(_op, input, before, write) {
      if (!before && !CODE.test(input.code)) throw onField('code', refuse('code-form'))
      if (input.validFrom !== null && input.validTo !== null && input.validTo < input.validFrom)
        throw onField('validTo', refuse('ends-before'))
      return write(input)
    },
    named(speaker, { name, code }, language) {
      const declared = speaker.catalogue.dictionaries.get(DICTIONARY)?.entries[code]
      return { name: wordIn(speaker, language, ownWords({ [speaker.env.DEFAULT_LOCALE]: name }, declared), declared) }
    },
    detail: async (_app, { link }) => ({ squares: link === null ? [] : squaresOf(link) }),
    constraints: { channel_code: { code: 'kit:taken', field: 'code' } },
  })

export const routes: Routes = app => served(app)(app)

/** What a channel is called in the dictionary goes with the channel alone: the database keeps it, this says why. */
const stays = answer(entryStays, async (_app, { tx, code, values }) => {
  if (code !== DICTIONARY) return undefined
  const kept = await tx
    .selectFrom('channel')
    .select('id')
    .where('code', 'in', ['', ...values])
    .executeTakeFirst()
  return kept && refuse('traffic/channel:channel-stays')
})
export const answers = [stays]

const END_AT_ONCE = 1_000

/** What its last day has passed for is not offered any more. */
const end = defineJob({
  name: 'end-channels',
  cron: '0 5 0 * * *',
  misfire: 'RUN_ONCE',
  async work(change, { each }) {
    const rows = await change.tx
      .selectFrom('channel')
      .select(['id', 'status'])
      .where('valid_to', '<', dayOf(change.now))
      .where('status', '<>', 'ENDED')
      .orderBy('id')
      .limit(END_AT_ONCE)
      .forUpdate()
      .execute()
    return each(rows, row => writeChange(change, resource, row, { status: 'ENDED' }, 'end'))
  },
})

const count = defineJob({
  name: 'count-channels',
  cron: '0 */5 * * * *',
  misfire: 'SKIP',
  work: countChannels,
})
export const jobs = [end, count]

/** Who has just become a member by a channel in force gets its tags. */
async function tagNewMember(change: Change, { memberId }: { readonly memberId: string }): Promise<void> {
  const { tx, now } = change
  const found = await tx
    .selectFrom('member as m')
    .innerJoin('channel as c', 'c.code', 'm.channel')
    .select(['c.auto_tags', 'c.status', 'c.valid_from', 'c.valid_to'])
    .where('m.id', '=', memberId)
    .where('m.created_at', '=', now.toISOString())
    .executeTakeFirst()
  if (!found || found.auto_tags.length === 0) return
  const channel = { status: found.status, validFrom: found.valid_from, validTo: found.valid_to } as const
  if (isInForce(channel, dayOf(now))) await addTags(change, memberId, found.auto_tags)
}

const KEPT = 'keeper_id = $1'

export const listeners: readonly Listener[] = [
  listen(memberNumbered, tagNewMember),
  belongs({ what: `${resource.screen.name}:kept-by`, table: resource.table, where: KEPT }),
  listen(staffHandedOver, async ({ tx }, { fromId, toId }) => {
    await sql`update channel set keeper_id = ${toId}, version = version + 1 where keeper_id = ${fromId}`.execute(tx)
  }),
]

export const invariants: readonly Invariant[] = [
  {
    name: 'every channel stands in the dictionary',
    query: `
      select c.code from channel c left join dictionary_type t on t.code = '${DICTIONARY}'
      left join dictionary_item i on i.type_id = t.id and i.value = c.code
      where t.id is not null and i.id is null`,
  },
]
