import { NOTHING_IN_COMMON } from '../../src/engines/audience/model.ts'
import type { Instance } from '../../src/kit/server/start/start.ts'
import { enrol } from './commerce.ts'
import type { Caller } from './instance.ts'
import { TEST_GUARDIAN } from './ledger.ts'

const BODY = '{name}家长您好，老学员立减 {off}。拒收请回复R'
const VARIABLES = [
  { name: 'name', kind: 'TEXT', sample: '小明' },
  { name: 'off', kind: 'MONEY', sample: '¥200.00' },
]

/** A published template of advertising by text message, which the provider knows. */
export async function marketingTemplate({ app }: Instance, { id: staffId }: Pick<Caller, 'id'>): Promise<string> {
  const now = app.clock.now()
  const words = { title: '秋季优惠', body: BODY }
  const { id } = await app.db.query
    .insertInto('message_template')
    .values({
      ...{ ...words, code: `OFFER-${now.getTime()}`, channel: 'SMS', kind: 'MARKETING', provider_code: 'SMS_1' },
      ...{ variables: JSON.stringify(VARIABLES), edition: 1, status: 'PUBLISHED' },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const body = JSON.stringify({ ...words, variables: VARIABLES, providerCode: 'SMS_1' })
  const by = { drafted_by: staffId, drafted_at: now, published_by: staffId, published_at: now }
  await app.db.query
    .insertInto('message_template_edition')
    .values({ template_id: id, edition: 1, state: 'PUBLISHED', base: 0, body, ...by })
    .execute()
  return id
}

/** Somebody whose guardian said this about advertising; nothing where nobody asked. */
export async function memberWho(
  instance: Instance,
  said?: 'GIVEN' | 'WITHDRAWN',
): Promise<{ id: string; phone: string }> {
  const { app } = instance
  const id = await enrol(instance)
  const now = app.clock.now()
  if (said)
    await app.db.query
      .insertInto('consent')
      .values({
        ...{
          member_id: id,
          purpose: 'MARKETING',
          act: said,
          stands: true,
          way: 'APP',
          said_as: 'GUARDIAN',
          said_by: TEST_GUARDIAN,
        },
        ...{ text_version: 'C1', happened_at: now, created_at: now },
      })
      .execute()
  const found = app.db.query.selectFrom('member').select(['id', 'phone']).where('id', '=', id)
  return found.$narrowType<{ phone: string }>().executeTakeFirstOrThrow()
}

/** What a campaign is written with. */
export const campaignBody = (templateId: string, phones: readonly string[], more: object = {}) => ({
  name: '秋季优惠',
  templateId,
  filled: [{ name: 'off', value: '¥200.00' }],
  audienceBy: 'NUMBERS',
  ...NOTHING_IN_COMMON,
  numbers: phones.join('\n'),
  ...more,
})
