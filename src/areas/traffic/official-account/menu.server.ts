import { sql } from 'kysely'
import { NotReached } from '#engines/platform/port.server.ts'
import { type MenuButton, openAccounts, type Reported } from '#engines/platform/server.ts'
import { storable } from '#kit/model/storable.ts'
import type { App } from '#kit/server/app.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { defineDelivery, deliver } from '#kit/server/change/outbox.ts'
import { writeChange } from '#kit/server/change/step.ts'
import { type MenuLine, treeOf } from './menu.model.ts'
import { type OfficialAccount, resource } from './model.ts'

const PUBLISH = 'account-menu'
const MAX_ERROR = 200
type Payload = { readonly id: string }

/** The platform is to show the draft; what is written into it from now on is for the next time. */
export async function askToPublish(op: Operation, { id, version }: OfficialAccount): Promise<Partial<OfficialAccount>> {
  await deliver(op, { kind: PUBLISH, key: `${id}:${version}`, payload: { id } })
  await sql`update official_account set menu_sent = draft, sending_at = null where id = ${id}`.execute(op.tx)
  return { menuError: null }
}

/** Somebody has looked: the platform shows what it was sent. */
export async function confirmMenu(op: Operation, { id }: OfficialAccount): Promise<Partial<OfficialAccount>> {
  const { rows } = await sql<{ menu: MenuLine[] }>`
    select menu_sent as menu from official_account where id = ${id}`.execute(op.tx)
  return { menu: rows[0]?.menu ?? [], menuPublishedAt: op.now.toISOString(), menuError: null }
}

/** As the platform wants it. */
export const buttonsOf = (lines: readonly MenuLine[]): MenuButton[] =>
  treeOf(lines).map(({ line, subs }) =>
    subs.length === 0 ? buttonOf(line) : { name: line.name, sub_button: subs.map(buttonOf) },
  )

const buttonOf = ({ name, action, value }: MenuLine): MenuButton =>
  action === 'VIEW' ? { name, type: 'view', url: value } : { name, type: 'click', key: value }

/**
 * What people are looking at is not published twice by itself: that it is being done is stored before, and whoever finds that does
 * not know how it ended. Only where nobody was reached at all it is done again.
 */
async function publish(app: App, { id }: Payload, key: string): Promise<Reported> {
  const { query } = app.db
  const sending = await query
    .updateTable('official_account')
    .set({ sending_at: app.clock.now() })
    .where('id', '=', id)
    .where('menu_state', '=', 'WAITING')
    .where('sending_at', 'is', null)
    .returning(['app_id', 'menu_sent'])
    .executeTakeFirst()
  if (!sending) return { state: 'UNKNOWN', error: '' }
  try {
    return await openAccounts(app).publishMenu(sending.app_id, buttonsOf(sending.menu_sent as MenuLine[]), key)
  } catch (error) {
    if (!(error instanceof NotReached)) return { state: 'UNKNOWN', error: String(error) }
    await query.updateTable('official_account').set({ sending_at: null }).where('id', '=', id).execute()
    throw error
  }
}

const STATES = { SENT: 'PUBLISHED', REFUSED: 'FAILED', UNKNOWN: 'UNKNOWN' } as const

export const menuDelivery = defineDelivery<Payload, Reported>({
  kind: PUBLISH,
  call: publish,
  async settle(change, { id }, reported) {
    const account = await change.tx
      .selectFrom('official_account')
      .select(['id', 'menu', 'menu_sent', 'menu_state as menuState', 'menu_error as menuError'])
      .select('menu_published_at as menuPublishedAt')
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (account?.menuState !== 'WAITING') return
    const { menu_sent: sent, ...before } = account
    const isSent = reported.state === 'SENT'
    const error = isSent ? '' : storable(reported.error, MAX_ERROR)
    const next = { menuState: STATES[reported.state], menuError: error === '' ? null : error }
    const shown = isSent ? { menu: sent, menuPublishedAt: change.now.toISOString() } : {}
    await writeChange(change, resource, before, { ...next, ...shown }, 'menuPublished')
  },
})
