import * as z from 'zod'
import { arrive } from '#engines/lead/server.ts'
import { choicesOf, dictionary, instant, text } from '#kit/model/field.ts'
import { parsePhone } from '#kit/model/mask.ts'
import { ownChange } from '#kit/server/change/operation.ts'
import { defineEvent } from '#kit/server/live/event.ts'
import { answerLine, MAX_ANSWERS, platformNo, resource } from './model.ts'

/** Whoever sends a form has agreed to be called. */
const CONSENT = 'FORM'
const SOURCE = 'XIAOHONGSHU'
const CHANNELS = { FORM: 'XIAOHONGSHU_FORM', MESSAGE: 'XIAOHONGSHU_MESSAGE' } as const
type Kind = keyof typeof CHANNELS

/**
 * Somebody left a number. It makes a lead by the one door, or is one more thing the lead of that number came by; told again, under
 * whatever name of the event, it is nothing new.
 */
const submitted = defineEvent({
  type: 'lead-form.submitted',
  sources: ['xiaohongshu'],
  data: z.strictObject({
    formNo: platformNo(),
    kind: z.enum(choicesOf(resource.record.shape.kind) as [Kind, ...Kind[]]),
    at: instant().optional(),
    phone: z
      .string()
      .max(40)
      .refine(typed => parsePhone(typed) !== undefined),
    name: text(50).optional(),
    city: text(50).optional(),
    account: dictionary('XHS_ACCOUNT').optional(),
    noteNo: platformNo().optional(),
    campaign: platformNo().optional(),
    unit: platformNo().optional(),
    creativity: platformNo().optional(),
    page: text(200).optional(),
    answers: z.array(answerLine).max(MAX_ANSWERS).optional(),
  }),
  async apply({ app, tx, now, key }, { phone: typed, at, noteNo, answers = [], kind, ...said }) {
    const change = ownChange(app, tx, now, `event:${key}`)
    const phone = parsePhone(typed) ?? ''
    const { formNo, name = null, account, ...told } = said
    const note = await tx
      .selectFrom('note')
      .select(['id', 'account', 'title'])
      .where('note_no', '=', noteNo ?? '')
      .executeTakeFirst()
    const stored = await tx
      .insertInto('lead_form')
      .values({
        form_no: formNo,
        kind,
        phone,
        name,
        ...told,
        account: account ?? note?.account ?? null,
        note_id: note?.id ?? null,
        answers: JSON.stringify(answers),
        submitted_at: at ?? now,
        created_at: now,
      })
      .onConflict(known => known.column('form_no').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!stored) return
    const when = { at: at === undefined ? now : new Date(at), about: note?.title }
    const came = { cameBy: 'FORM', key: `form:${formNo}`, consent: CONSENT, owner: null, ...when } as const
    const [arrived] = await arrive(change, [{ phone, name, source: SOURCE, channel: CHANNELS[kind], ...came }])
    if (!arrived || arrived.leadId === null) return
    const lead = await tx
      .selectFrom('lead')
      .select(['id', 'owner_id', 'org_id', 'status'])
      .where('id', '=', arrived.leadId)
      .executeTakeFirstOrThrow()
    await tx
      .updateTable('lead_form')
      .set({
        lead_id: lead.id,
        is_new: arrived.result === 'NEW',
        owner_id: lead.owner_id,
        org_id: lead.org_id,
        follow_status: lead.status,
      })
      .where('id', '=', stored.id)
      .execute()
  },
})

export const arriving = [submitted]
