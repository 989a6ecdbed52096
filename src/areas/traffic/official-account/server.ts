import { sql } from 'kysely'
import { belongs, staffHandedOver } from '#areas/organisation/staff/belongings.server.ts'
import { memberRecognised } from '#engines/identity/names.server.ts'
import { leadForgotten, leadSettled } from '#engines/lead/known.server.ts'
import { onField } from '#kit/model/refusal.ts'
import type { Listener } from '#kit/server/app.ts'
import { listen } from '#kit/server/change/announce.ts'
import { forgets } from '#kit/server/change/erasure.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import { run } from '#kit/server/database/database.ts'
import type { Routes } from '#kit/server/http/route.ts'
import { serve } from '#kit/server/serve/serve.ts'
import { serveChild } from '#kit/server/serve/serve-child.ts'
import { defineJob } from '#kit/server/work/job.ts'
import { answerDelivery } from './answering.server.ts'
import { child as answers } from './answers/model.ts'
import { arriving } from './arriving.server.ts'
import { countAccounts, countedInvariants } from './counting.server.ts'
import { FORGOTTEN } from './following.model.ts'
import { menuFault } from './menu.model.ts'
import { askToPublish, confirmMenu, menuDelivery } from './menu.server.ts'
import { resource, workflow } from './model.ts'
import { repliesFault } from './replies.model.ts'
import { child as scenes } from './scenes/model.ts'
import { addScene, closeScene, expireScenes, sceneDelivery, withCodes } from './scenes.server.ts'
import { child as subscribers } from './subscribers/model.ts'

const served = serve(resource, {
  workflow,
  constraints: { official_account_app: { code: 'kit:taken', field: 'appId' } },
  async store(_op, input, _before, write) {
    const reply = repliesFault(input.replies)
    if (reply) throw onField(`replies.${reply.at}.${reply.part}`, reply.refusal)
    const entry = menuFault(input.draft)
    if (entry) throw onField(`draft.${entry.at}.${entry.part}`, entry.refusal)
    return write(input)
  },
  effects: {
    publishMenu: askToPublish,
    publishMenuAgain: askToPublish,
    confirmMenu,
    addScene,
    closeScene,
    stop: async () => ({ status: 'STOPPED' as const }),
    resume: async () => ({ status: 'ACTIVE' as const }),
  },
})

export const routes: Routes = app => [
  ...served(app),
  ...serveChild(scenes, { told: withCodes })(app),
  ...serveChild(subscribers)(app),
  ...serveChild(answers)(app),
]
export const events = arriving
export const deliveries = [menuDelivery, sceneDelivery, answerDelivery]

const count = defineJob({
  name: 'count-official-accounts',
  cron: '50 */5 * * * *',
  misfire: 'SKIP',
  work: countAccounts,
})
export const jobs = [count, expireScenes]

const ACCOUNTS = 'keeper_id = $1'
/** Codes people still come by. */
const SCENES = `keeper_id = $1 and status in ('WAITING', 'OPEN', 'FAILED')`

/** Nobody can be told apart any more who does something again: that person is counted then, and so not here too. */
const BECOMES = {
  openid: `'${FORGOTTEN}' || t.id`,
  unionid: 'null',
  status: `case when t.status = 'FOLLOWING' then 'NEVER' else t.status end`,
}

export const listeners: readonly Listener[] = [
  belongs({ what: `${resource.screen.name}:kept-by`, table: resource.table, where: ACCOUNTS }),
  belongs({ what: `${resource.screen.name}:scenes-kept-by`, table: 'account_scene', where: SCENES }),
  listen(staffHandedOver, async ({ tx }, { fromId, toId }) => {
    await sql`
      update official_account set keeper_id = ${toId}, version = version + 1 where keeper_id = ${fromId}`.execute(tx)
    await sql`
      update account_scene set keeper_id = ${toId} where keeper_id = ${fromId} and status in ('WAITING', 'OPEN', 'FAILED')`.execute(
      tx,
    )
  }),
  // What the platform calls a person leads to the person.
  forgets({
    table: 'account_follower',
    where: 't.member_id = $1 or t.lead_id in (select id from lead where member_id = $1 or phone = any($2::text[]))',
    becomes: BECOMES,
    known: ['openid', 'unionid'],
  }),
  // Somebody who follows is a member by now: by the number left here, or because the app says who it is.
  listen(leadSettled, async ({ tx }, { leadIds, memberId }) => {
    if (memberId === null) return
    await sql`
      update account_follower set member_id = ${memberId} where lead_id = any(${leadIds}::bigint[]) and member_id is null`.execute(
      tx,
    )
  }),
  listen(memberRecognised, async ({ tx }, { memberId, unionid }) => {
    await sql`
      update account_follower set member_id = ${memberId} where unionid = ${unionid ?? ''} and member_id is null`.execute(
      tx,
    )
  }),
  listen(leadForgotten, async ({ tx }, { leadIds }) => {
    const sets = Object.entries(BECOMES).map(([column, value]) => `${column} = ${value}`)
    await run(tx, `update account_follower t set ${sets.join(', ')} where t.lead_id = any($1::bigint[])`, [leadIds])
  }),
]

export const invariants: readonly Invariant[] = [
  ...countedInvariants,
  {
    name: 'an account whose menu is published has one in force',
    query: `select id from official_account where menu_state = 'PUBLISHED' and (menu = '[]' or menu_published_at is null)`,
  },
  {
    name: 'who follows an account was told of, and stands as the last of it says',
    query: `
      select f.id, f.status, e.kind from account_follower f left join lateral (
        select kind from account_event where follower_id = f.id and kind <> 'NUMBER'
        order by at desc, array_position(array['UNSUBSCRIBE', 'MESSAGE', 'SCAN', 'SUBSCRIBE'], kind) limit 1) e on true
      where f.openid not like '${FORGOTTEN}%'
        and f.status <> case when e.kind is null then 'NEVER' when e.kind = 'UNSUBSCRIBE' then 'LEFT' else 'FOLLOWING' end`,
  },
]
