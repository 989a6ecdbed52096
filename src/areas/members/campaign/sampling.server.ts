import { randomUUID } from 'node:crypto'
import { messageWanted } from '#engines/message/server.ts'
import { refuse, refusedFields } from '#kit/model/refusal.ts'
import { type Gate, requireAttempt } from '#kit/server/access/gate.ts'
import { announce } from '#kit/server/change/announce.ts'
import type { Operation } from '#kit/server/change/operation.ts'
import { type Campaign, NAME_HOLE } from './model.ts'
import { sampleTo } from './sample.model.ts'

/** As many as a person may send of templates. */
const SAMPLES: Gate = { kind: 'campaign-sample', limit: 20, windowMs: 86_400_000 }

type Asked = Parameters<typeof sampleTo>[0]

/**
 * The words as the first of the recipients would read them, to colleagues' own phones: the way of all messages, and no
 * advertising, as nobody is advertised to. The campaign counts nothing of it.
 */
export async function sendSample(op: Operation, campaign: Campaign, asked: Asked): Promise<Partial<Campaign>> {
  const { tx, actor, now } = op
  await requireAttempt(tx, SAMPLES, actor.id, now)
  const fields = sampleTo(asked)
  const phones = await phonesOf(op, fields)
  const { id, body, filled } = campaign
  const first = await tx
    .selectFrom('campaign_number')
    .select(['member_id', 'name'])
    .where('campaign_id', '=', id)
    .where('status', '=', 'WAITING')
    .orderBy('id')
    .executeTakeFirstOrThrow()
  const {
    code,
    title,
    provider_code: providerCode,
    template_id: templateId,
  } = await tx
    .selectFrom('campaign')
    .select(['code', 'title', 'provider_code', 'template_id'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  for (const [staffId, address] of phones)
    await announce(op, messageWanted, {
      message: { code, channel: 'SMS', kind: 'NOTICE', title, body, holes: {} },
      to: { staffId, address },
      filled: {
        ...Object.fromEntries(filled.map(({ name, value }) => [name, value])),
        [NAME_HOLE]: first.name,
      },
      about: `sample:${id}:${randomUUID()}`,
      trial: { templateId, editionId: null, title, body, providerCode },
      wordsOfId: first.member_id,
    })
  return { sampledAt: now.toISOString() }
}

/** Each colleague's number by the colleague; who has none is named. */
async function phonesOf({ tx }: Operation, fields: ReturnType<typeof sampleTo>): Promise<Map<string, string>> {
  const people = await tx
    .selectFrom('staff')
    .select(['id', 'name', 'phone'])
    .where('id', 'in', [...fields.keys()])
    .execute()
  const without = people.filter(({ phone }) => !phone)
  if (without.length > 0)
    throw refusedFields(
      Object.fromEntries(without.map(({ id, name }) => [fields.get(id) as string, refuse('no-phone', { name })])),
      'validation',
    )
  return new Map(people.map(({ id, phone }) => [id, phone as string]))
}
