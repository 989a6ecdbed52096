import { listedWithoutConsent } from '#areas/members/number-import/agreeing.server.ts'
import type { Wish as Audience } from '#engines/audience/model.ts'
import { type Asking, findReached, type Reached } from '#engines/audience/server.ts'
import { advertisingConsents } from '#engines/consent/server.ts'
import { fillIn, holesIn, partsOf, whyNotFilled } from '#engines/message/model.ts'
import { advertisedSince, advertisingTerms, type OfferedTemplate, offeredTemplates } from '#engines/message/server.ts'
import { onField, refuse } from '#kit/model/refusal.ts'
import { ask } from '#kit/server/change/question.ts'
import { settingsOf } from '#kit/server/setting/in-force.ts'
import { type Campaign, costOf, NAME_HOLE, type Reach, resource } from './model.ts'
import { settings } from './settings.model.ts'

const DAY_MS = 86_400_000

/** What is asked for: the words and the people. */
export type Wish = Pick<Campaign, 'templateId' | 'filled'> & Audience
type WithheldFor = 'NO_CONSENT' | 'LIST_NOT_AGREED' | 'OPTED_OUT' | 'LATELY'
export type Recipient = Reached & { readonly parts: number; readonly cause: WithheldFor | null }
export type Found = {
  readonly template: OfferedTemplate
  readonly values: Readonly<Record<string, string>>
  readonly recipients: readonly Recipient[]
  readonly reach: Reach
  readonly hundredFen: number
}

/** Whom a campaign would reach at this moment, each with the words as that person gets them; and why it would not reach others. */
export async function findRecipients(asking: Asking, wish: Wish): Promise<Found> {
  const { app, db } = asking
  const template = await templateOf(asking, wish)
  const values = valuesOf(template, wish.filled)
  const { members, ...left } = await findReached(asking, resource.screen.key, wish)
  const whyNot = await withheld(asking, members)
  const recipients = members.map(member => ({
    ...member,
    parts: partsOf(fillIn(template.body, { ...values, [NAME_HOLE]: member.name })),
    cause: whyNot.get(member.id) ?? null,
  }))
  const { hundredFen, approvalFen } = await settingsOf(app, settings, db)
  const open = recipients.filter(({ cause }) => cause === null)
  const costFen = costOf(
    open.reduce((sum, { parts }) => sum + parts, 0),
    hundredFen,
  )
  const of = (cause: WithheldFor) => recipients.filter(one => one.cause === cause).length
  const reach: Reach = {
    ...{ ...left, members: members.length, toSend: open.length, costFen },
    ...{
      noConsent: of('NO_CONSENT'),
      listNotAgreed: of('LIST_NOT_AGREED'),
      optedOut: of('OPTED_OUT'),
      lately: of('LATELY'),
    },
    needsApproval: costFen > approvalFen,
  }
  return { template, values, recipients, reach, hundredFen }
}

/** Advertising by text message, as it is published: its words are checked where they are written. */
async function templateOf({ app, db }: Asking, { templateId }: Wish): Promise<OfferedTemplate> {
  const offered = await ask(app, offeredTemplates, { db, kind: 'MARKETING' })
  const found = offered.find(one => one.templateId === templateId)
  if (!found) throw onField('templateId', refuse('template-not-offered'))
  return found
}

/** What is put into the template for everybody; the name is each member's own. */
function valuesOf({ title, body, variables }: OfferedTemplate, filled: Wish['filled']): Record<string, string> {
  const given = new Map(filled.map(({ name, value }) => [name, value]))
  const wanted = holesIn(title + body).filter(name => name !== NAME_HOLE)
  for (const name of wanted) {
    const variable = variables.find(one => one.name === name)
    const value = given.get(name)
    if (!variable || value === undefined) throw onField('filled', refuse('value-missing', { name }))
    const wrong = whyNotFilled({ title: '', body: '' }, [{ ...variable, sample: value }])
    if (wrong) throw onField('filled', refuse('value-wrong', { name, sample: variable.sample }))
  }
  return Object.fromEntries(wanted.map(name => [name, given.get(name) as string]))
}

/** Known already when it is written; the messaging asks again when each one leaves. */
async function withheld({ app, db, now }: Asking, members: readonly Reached[]): Promise<Map<string, WithheldFor>> {
  const memberIds = members.map(({ id }) => id)
  const { marketingDays } = await ask(app, advertisingTerms, { db })
  const since = new Date(now.getTime() - marketingDays * DAY_MS)
  const lately = await ask(app, advertisedSince, { db, memberIds, since })
  const consents = await advertisingConsents(db, members)
  const listed = await listedWithoutConsent(db, memberIds)
  return new Map(
    memberIds.flatMap((id): [string, WithheldFor][] => {
      const consent = consents.get(id)
      if (consent === 'OPTED_OUT') return [[id, 'OPTED_OUT']]
      // What a guardian said since outweighs what a list says.
      if (consent !== 'GIVEN') return [[id, listed.has(id) ? 'LIST_NOT_AGREED' : 'NO_CONSENT']]
      return lately.has(id) ? [[id, 'LATELY']] : []
    }),
  )
}
