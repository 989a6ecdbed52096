import * as z from 'zod'
import { type Child, phoneBelow } from '#kit/model/child.ts'
import { columnOf } from '#kit/model/field.ts'
import { parsePhone } from '#kit/model/mask.ts'
import { onField, refuse } from '#kit/model/refusal.ts'
import { MAX_TYPED } from '#kit/model/typed.ts'
import { requireAttempt } from '../access/gate.ts'
import type { App } from '../app.ts'
import { record } from '../change/audit.ts'
import { PHONE_SEARCHES } from '../choice/phone-search.ts'
import { idParams, type Route, route } from '../http/route.ts'
import { readBelow } from '../list/child.ts'
import type { ListEngine } from '../list/list.ts'

/** As many as a filter takes. */
const MOST = 100
const LAST_FOUR = /^\d{4}$/

/**
 * The rows below one record that hold a whole number, or one that ends so: among the rows of one record, which show those four digits
 * anyway, they tell nothing more. Counted and logged with all searches by a number.
 */
export function childPhoneRoute(app: App, child: Child, list: ListEngine): Route[] {
  const { of: parent, resource } = child
  const field = phoneBelow(resource)
  if (field === undefined) return []
  const column = `t.${columnOf(field)}`
  const { key, name: texts } = resource.screen
  return [
    route({
      method: 'POST',
      path: `/${parent.screen.name}/:id/${child.name}/find-by-phone`,
      reads: true,
      texts,
      access: { page: key, action: 'detail' },
      params: idParams,
      body: z.strictObject({ phone: z.string().max(MAX_TYPED) }),
      answer: z.strictObject({ field: z.string(), ids: z.array(z.string()) }),
      summary: 'Finds rows of the record by a whole phone number or its last four digits; logged and limited.',
      async handle(call, { params: { id }, body }) {
        const { actor, now } = call
        const query = await readBelow(app, child, { id, search: {}, actor, now })
        const typed = body.phone.normalize('NFKC').trim()
        const phone = parsePhone(typed)
        if (!phone && !LAST_FOUR.test(typed)) throw onField('phone', refuse('kit:phone-or-end'))
        await requireAttempt(app.db.query, PHONE_SEARCHES, actor.id, now)
        const condition = {
          field: 'id',
          key: `phone=${phone ?? typed}`,
          sql: (bind: (value: unknown) => string) =>
            phone ? `${column} = ${bind(phone)}` : `right(${column}, 4) = ${bind(typed)}`,
        }
        const { rows } = await list.page({ ...query, size: MOST, conditions: [...query.conditions, condition] }, actor)
        await record(app.db.query, call, { page: key, action: 'find-by-phone' })
        return { field: 'id', ids: rows.map(row => String(row.id)) }
      },
    }),
  ]
}
