import * as z from 'zod'
import { receiver } from '#areas/orders/order/model.ts'
import { receiverOf } from '#areas/orders/order/receiver.server.ts'
import { type FoundCode as Code, moveCode } from '#areas/products/code-batch/codes.server.ts'
import { resource as batchResource } from '#areas/products/code-batch/model.ts'
import { scopeOf } from '#kit/model/actor.ts'
import { ID } from '#kit/model/field.ts'
import { type Refusal, Refused, refuse } from '#kit/model/refusal.ts'
import { dayOf } from '#kit/model/time.ts'
import type { App } from '#kit/server/app.ts'
import type { Call } from '#kit/server/call.ts'
import { record } from '#kit/server/change/audit.ts'
import { requireOffered } from '#kit/server/change/given.ts'
import { once } from '#kit/server/change/idempotency.ts'
import { type Operation, operate } from '#kit/server/change/operation.ts'
import { requireReference } from '#kit/server/declared.ts'
import { type Route, route } from '#kit/server/http/route.ts'
import { binder, scopeSql } from '#kit/server/list/scope.ts'
import { labelColumns, readLabel } from '#kit/server/list/select.ts'
import { requireCode } from './attempts.server.ts'
import { type FoundCode, foundCode, resource } from './model.ts'
import { batchOf, redeem, whyNotRedeem } from './redeeming.server.ts'

const { name, key } = resource.screen
const typed = z.string().trim().min(1).max(100)
const places = z.strictObject(receiver).partial()
const REDEEMED_ONCE = { redemption_once: { code: 'code-redeemed' } } as const

/** What is done at the desk with a code in hand: look, redeem, void. The code is never in an address, a log or an answer. */
export const deskRoutes = (app: App): Route[] => [
  route({
    method: 'POST',
    path: `/${name}/look`,
    texts: name,
    access: { page: key, action: 'list' },
    body: z.strictObject({ code: typed }),
    answer: foundCode,
    summary: 'What a code is and gives, and whether it can be redeemed. Wrong codes are counted.',
    handle: async (call, { body }) => shown(app, call, await requireCode(app, call, body.code)),
  }),
  route({
    method: 'POST',
    path: `/${name}/redeem`,
    texts: name,
    access: { page: key, action: 'redeem' },
    body: z.strictObject({ code: typed, memberId: z.string().regex(ID), ...places.shape }),
    answer: z.strictObject({ id: z.string() }),
    summary: 'Redeems a code for a member.',
    async handle(call, { body }) {
      const { code: given, memberId, ...place } = body
      const code = await requireCode(app, call, given)
      const work = async (op: Operation) => {
        await requireOffered(op, { page: key, shape: receiver }, place)
        return { id: await redeem(op, code, { memberId, receiver: receiverOf(place) }) }
      }
      const answer = await operate(
        app,
        call,
        // The code itself must not be kept with the key: its record stands for it.
        op => once(op.tx, call, `/${name}/redeem`, { ...body, code: code.id }, () => work(op)),
        REDEEMED_ONCE,
      )
      app.counts.drop(resource.table)
      return answer
    },
  }),
  route({
    method: 'POST',
    path: `/${name}/void`,
    texts: name,
    access: { page: key, action: 'void' },
    body: z.strictObject({ code: typed, reason: z.string().trim().min(1).max(200) }),
    answer: z.null(),
    summary: 'Makes a code that was not redeemed worthless, with a reason.',
    async handle(call, { body }) {
      const code = await requireCode(app, call, body.code)
      return operate(app, call, op => voidCode(op, code, body.reason))
    },
  }),
]

type DeskCall = Call<{ page: string; action: string }>

async function shown(app: App, call: DeskCall, code: Code): Promise<FoundCode> {
  const batch = await batchOf(app.db.query, code.batchId, false)
  const refusal = whyNotRedeem(batch, code, dayOf(call.now))
  return {
    last4: code.last4,
    status: code.status,
    batchId: batch.id,
    batchName: batch.name,
    batchStatus: batch.status as FoundCode['batchStatus'],
    validFrom: batch.validFrom,
    validTo: batch.validTo,
    perPerson: batch.perPerson,
    grants: batch.grants,
    holder: await holderOf(app, call, code),
    whyNot: refusal ? inWords(app, call, refusal) : null,
  }
}

function inWords(app: App, { language }: DeskCall, refusal: Refusal): string {
  const said = app.texts.refusal(language, name, 'refused', refusal)
  return said.slice(said.indexOf(': ') + 2)
}

/** Whoever has the code, masked as in any list, for those who may see that redemption. */
async function holderOf(app: App, { actor }: DeskCall, { id }: Code): Promise<FoundCode['holder']> {
  const member = requireReference(app.catalogue, 'member')
  const { bind, values } = binder()
  const place = bind(id)
  const scope = scopeSql(resource, scopeOf(actor, key), bind)
  const [row] = await app.db.read.planned(
    `select t.member_id as member, t.created_at as "redeemedAt",
       ${labelColumns(member, 'm').map(([part, column]) => `${column} as "member:${part}"`)}
     from redemption t join ${member.table} m on m.id = t.member_id
     where t.code_id = ${place} and t.status = 'DONE' ${scope && `and ${scope}`}`,
    values,
  )
  if (!row) return null
  const { name: called, note } = readLabel(member, row, 'member')
  return { name: called, note, redeemedAt: String(row.redeemedAt) }
}

/** The batch is locked before its codes, as everywhere; its timeline tells what became of them. */
async function voidCode(op: Operation, code: Code, reason: string): Promise<null> {
  const batch = await batchOf(op.tx, code.batchId, true)
  if (!(await moveCode(op.tx, code, 'UNUSED', 'VOID'))) {
    const state = code.status === 'VOID' ? 'code-void' : 'code-redeemed'
    throw new Refused(refuse(state))
  }
  await record(op.tx, op.call, {
    page: batchResource.screen.key,
    action: 'voidCode',
    recordId: batch.id,
    reason: `${code.last4}: ${reason}`,
  })
  return null
}
