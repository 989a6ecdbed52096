import { sql } from 'kysely'
import { squaresOf } from '#engines/copybook/code.server.ts'
import { openAccounts } from '#engines/platform/server.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import { storable } from '#kit/model/storable.ts'
import type { EnteredWith } from '#kit/model/workflow.ts'
import type { App } from '#kit/server/app.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { defineDelivery, deliver } from '#kit/server/change/outbox.ts'
import { defineJob } from '#kit/server/work/job.ts'
import type { OfficialAccount, workflow } from './model.ts'
import type { Scene } from './scenes/model.ts'

const CODE = 'account-scene'
const MAX_ERROR = 200
const DAY_MS = 86_400_000
type Payload = { readonly id: string }

/** One more code to follow the account by; the platform is asked for it. */
export async function addScene(
  op: Operation,
  { id: accountId }: OfficialAccount,
  { sceneName, sceneChannel, sceneKeeperId, sceneDays }: EnteredWith<typeof workflow, 'addScene'>,
): Promise<void> {
  const validUntil = sceneDays === null ? null : new Date(op.now.getTime() + sceneDays * DAY_MS)
  const { rows } = await sql<{ id: string }>`
    insert into account_scene (account_id, name, channel, keeper_id, valid_until, created_at)
    values (${accountId}, ${sceneName}, ${sceneChannel}, ${sceneKeeperId}, ${validUntil}, ${op.now}) returning id`.execute(
    op.tx,
  )
  const id = String(rows[0]?.id)
  await deliver(op, { kind: CODE, key: id, payload: { id } })
}

/** Nobody is to come by it any more. Who scans it still is counted: what is printed stays printed. */
export async function closeScene(
  op: Operation,
  { id: accountId }: OfficialAccount,
  { sceneId }: EnteredWith<typeof workflow, 'closeScene'>,
): Promise<void> {
  const { rows } = await sql`
    update account_scene set status = 'CLOSED' where id = ${sceneId} and account_id = ${accountId}
      and status in ('WAITING', 'OPEN', 'FAILED') returning id`.execute(op.tx)
  if (rows.length === 0) throw new Refused(refuse('scene-of-other'))
}

type Given = { readonly link: string } | { readonly error: string } | null

async function askForCode(app: App, { id }: Payload): Promise<Given> {
  const scene = await app.db.query
    .selectFrom('account_scene as s')
    .innerJoin('official_account as a', 'a.id', 's.account_id')
    .select(['a.app_id', 's.state_code', 's.valid_until'])
    .where('s.id', '=', id)
    .where('s.status', '=', 'WAITING')
    .executeTakeFirst()
  if (!scene) return null
  const left = scene.valid_until === null ? null : new Date(scene.valid_until).getTime() - app.clock.now().getTime()
  const seconds = left === null ? null : Math.max(1, Math.floor(left / 1_000))
  return openAccounts(app).sceneLink(scene.app_id, scene.state_code, seconds)
}

export const sceneDelivery = defineDelivery<Payload, Given>({
  kind: CODE,
  call: askForCode,
  async settle({ tx }, { id }, given) {
    if (given === null) return
    const [status, link, error] =
      'link' in given ? ['OPEN', given.link, null] : ['FAILED', null, storable(given.error, MAX_ERROR) || '-']
    await sql`
      update account_scene set status = ${status}, link = ${link}, error = ${error} where id = ${id} and status = 'WAITING'`.execute(
      tx,
    )
  },
})

/** Each with the code its link is drawn as. */
export const withCodes = async (_app: App, scenes: readonly Scene[]): Promise<Partial<Scene>[]> =>
  scenes.map(({ link }) => ({ squares: link === null ? [] : squaresOf(link) }))

/** Codes whose time is over. */
export const expireScenes = defineJob({
  name: 'expire-account-scenes',
  cron: '0 10 * * * *',
  misfire: 'RUN_ONCE',
  async work({ tx, now }) {
    const { rows } = await sql`
      update account_scene set status = 'EXPIRED' where status = 'OPEN' and valid_until < ${now} returning id`.execute(
      tx,
    )
    return rows.length
  },
})
