import { sql } from 'kysely'
import { send, ships } from '#engines/message/server.ts'
import { defineDeed, rules } from '#engines/rule/declared.server.ts'
import { storable } from '#kit/model/storable.ts'
import type { Tx } from '#kit/server/database/database.ts'
import { resource } from './model.ts'
import { ruleNotice } from './rule-notice.model.ts'

/** Instead of a role: whoever looks after the record. */
const CARER = 'carer'
const MAX_TEXT = 200
/** A notice to more than these is an announcement, and not a chain's to make. */
const MOST_TOLD = 50

/** Colleagues at work: the one who looks after the record, or those who hold a role. */
async function toldOf(tx: Tx, to: string, staffId: string | null): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select t.id from staff t where t.status = 'ENABLED' and case when ${to}::text = ${CARER} then t.id = ${staffId}::bigint
      else t.id in (select sr.staff_id from staff_role sr join role r on r.id = sr.role_id where r.code = ${to}) end
    order by t.id limit ${MOST_TOLD + 1}`.execute(tx)
  return rows.map(({ id }) => id)
}

const notify = defineDeed({
  name: 'notify',
  texts: resource.screen.name,
  parameters: { to: 'text', text: 'text' },
  async offers({ db }) {
    const roles = await db.query.selectFrom('role').select('code').orderBy('code').execute()
    return { to: [CARER, ...roles.map(({ code }) => code)] }
  },
  async act(change, { memberId, staffId, no, key }, { to, text }) {
    if (text.trim() === '') return 'EMPTY'
    const told = await toldOf(change.tx, to, staffId)
    if (told.length === 0) return 'NOBODY'
    if (told.length > MOST_TOLD) return 'TOO_MANY'
    const values = { text: storable(text, MAX_TEXT), no }
    for (const id of told)
      await send(change, ruleNotice, {
        to: { staffId: id, address: null },
        values,
        about: `${key}:${id}`,
        wordsOf: memberId,
      })
    return 'DONE'
  },
})

export const listeners = [ships(ruleNotice), rules({ nodes: [notify] })]
