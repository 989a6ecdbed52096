import * as z from 'zod'
import { productCalled } from '#areas/products/product/server.ts'
import { lockNames, unionid } from '#engines/identity/names.server.ts'
import { leadBegan, nameLead } from '#engines/lead/known.server.ts'
import type { Owner } from '#engines/lead/model.ts'
import { arrive } from '#engines/lead/server.ts'
import { dictionary, instant } from '#kit/model/field.ts'
import { parsePhone } from '#kit/model/mask.ts'
import type { Change } from '#kit/server/app.ts'
import { announce } from '#kit/server/change/announce.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import { ask, defineQuestion } from '#kit/server/change/question.ts'
import { writeChange } from '#kit/server/change/step.ts'
import { defineEvent } from '#kit/server/live/event.ts'
import { further, REGISTRATION_STEPS, type RegistrationStep, resource } from './model.ts'

/** Whoever enters a number in the app has agreed to its terms. */
const CONSENT = 'APP_TERMS'
const TOUCH = 'registration'

type Said = { readonly step: RegistrationStep; readonly source: string; readonly channel: string }

/** Whoever sent somebody here by a link. */
export type ByLink = {
  /** Whose the lead is to be, where it is a new one. */
  readonly owner: Owner | null
  /** What it sells. */
  readonly productId: string
  /** To be called in the same transaction, once the lead stands. */
  markCame(leadId: string): Promise<void>
}
/** Whose link has sent this state along; nothing where nobody's has. Whoever makes links knows. */
export const leadByLink = defineQuestion<{ readonly change: Change; readonly state: string }, ByLink | undefined>(
  'registration-by-link',
)

/** Somebody came so far in the app. A member's number begins nothing, and what comes late does not lead back. */
const reached = defineEvent({
  type: 'registration.reached',
  sources: ['app'],
  data: z.strictObject({
    phone: z
      .string()
      .max(40)
      .refine(typed => parsePhone(typed) !== undefined),
    step: z.enum(REGISTRATION_STEPS),
    source: dictionary('MEMBER_SOURCE'),
    channel: dictionary('CHANNEL'),
    /** What the link has sent along that this person came by. */
    state: z.string().min(1).max(64).optional(),
    /** What WeChat calls the person, where the app was opened there. */
    unionid: unionid.optional(),
    /** Our code of what was looked at when it was begun. One we do not have names nothing. */
    product: z.string().min(1).max(30).optional(),
    at: instant().optional(),
  }),
  async apply({ app, tx, now, key }, { phone: typed, state, unionid: named, product, at, ...said }) {
    const change = ownChange(app, tx, now, `event:${key}`)
    // Whoever registers under this name waits, or is waited for.
    await lockNames(tx, { unionid: named })
    const phone = parsePhone(typed) ?? ''
    const { source, channel } = said
    const link = state === undefined ? undefined : await ask(app, leadByLink, { change, state })
    const came = { cameBy: 'REGISTRATION', key: TOUCH, consent: CONSENT, name: null } as const
    const wanted = {
      productId: product === undefined ? null : await productCalled(tx, product),
      link: link && state !== undefined ? { code: state, productId: link.productId } : undefined,
    }
    const told = at === undefined ? wanted : { ...wanted, at: new Date(at) }
    const [arrived] = await arrive(change, [{ phone, source, channel, owner: link?.owner ?? null, ...came, ...told }])
    if (!arrived || arrived.leadId === null) return
    await link?.markCame(arrived.leadId)
    await store(change, arrived.leadId, said, arrived.result === 'NEW')
    if (named !== undefined) await nameLead(change, arrived.leadId, named)
  },
})

async function store(change: Change, leadId: string, said: Said, isNew: boolean): Promise<void> {
  const { tx, now } = change
  // Under the lock of the number: no second one of the same lead can come in between.
  const row = await tx
    .selectFrom('registration')
    .select(['id', 'step', 'status', 'code_sent_at as codeSentAt', 'last_at as lastAt', 'became_id as becameId'])
    .where('lead_id', '=', leadId)
    .forUpdate()
    .executeTakeFirst()
  const codeSentAt = said.step === 'CODE_SENT' ? now.toISOString() : (row?.codeSentAt ?? null)
  if (!row) return insert(change, leadId, { ...said, codeSentAt, isNew })
  const isClosed = row.status === 'REGISTERED' || row.status === 'INVALID'
  const went = { step: further(said.step, row.step), codeSentAt, lastAt: now.toISOString() }
  const stands = isClosed ? ({ status: 'WAITING', becameId: null } as const) : { status: row.status }
  await writeChange(change, resource, row, { ...went, ...stands }, 'goOn')
}

async function insert(
  change: Change,
  leadId: string,
  { step, source, channel, codeSentAt, isNew }: Said & { readonly codeSentAt: string | null; readonly isNew: boolean },
): Promise<void> {
  const { tx, now } = change
  const lead = await tx
    .selectFrom('lead')
    .select(['phone', 'owner_id', 'org_id'])
    .where('id', '=', leadId)
    .executeTakeFirstOrThrow()
  const times = { code_sent_at: codeSentAt, last_at: now, created_at: now }
  await tx
    .insertInto('registration')
    .values({ ...lead, lead_id: leadId, step, source, channel, ...times })
    .execute()
  // Of who has only just come the door has told.
  if (lead.owner_id === null && !isNew) await announce(change, leadBegan, { leadIds: [leadId] })
}

export const arriving = [reached]
