import { defineDeed, rules } from '#engines/rule/declared.server.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { App, Change } from '#kit/server/app.ts'
import { dictionaryKept } from '#kit/server/change/dictionary-entries.ts'
import { ask } from '#kit/server/change/question.ts'
import type { Queries } from '#kit/server/change/rules.ts'
import { writeChange } from '#kit/server/change/step.ts'
import { lockMember } from './holding.server.ts'
import { resource } from './model.ts'

const MAX_TAGS = 20

export function retagged(tags: readonly string[], added: readonly string[], removed: readonly string[]): string[] {
  const next = [...new Set([...tags.filter(tag => !removed.includes(tag)), ...added])]
  if (next.length > MAX_TAGS) throw new Refused(refuse('too-many-tags', { max: MAX_TAGS }))
  return next
}

/** The tags people may choose now. */
async function tagsOffered(app: App, db: Queries): Promise<string[]> {
  const entries = await ask(app, dictionaryKept, { db, codes: ['MEMBER_TAG'] })
  return entries.filter(({ enabled }) => enabled).map(({ value }) => value)
}

/** Puts on a member what of these tags people may choose now; says why not where none could be. */
export async function addTags(
  change: Change,
  memberId: string,
  wanted: readonly string[],
): Promise<'UNKNOWN' | 'CLOSED' | 'DONE' | 'FULL'> {
  const { app, tx } = change
  const offered = await tagsOffered(app, tx)
  const known = wanted.filter(tag => offered.includes(tag))
  if (known.length === 0) return 'UNKNOWN'
  await lockMember(tx, memberId)
  const member = await tx
    .selectFrom('member')
    .select(['id', 'tags', 'status'])
    .where('id', '=', memberId)
    .executeTakeFirstOrThrow()
  if (member.status === 'CLOSED') return 'CLOSED'
  const fresh = known.filter(tag => !member.tags.includes(tag))
  if (fresh.length === 0) return 'DONE'
  if (member.tags.length + fresh.length > MAX_TAGS) return 'FULL'
  await writeChange(change, resource, member, { tags: retagged(member.tags, fresh, []) }, 'tag')
  return 'DONE'
}

const setTag = defineDeed({
  name: 'setTag',
  texts: resource.screen.name,
  parameters: { tag: 'text' },
  offers: async app => ({ tag: await tagsOffered(app, app.db.query) }),
  async act(change, { memberId }, { tag }) {
    return memberId === null ? 'NO_MEMBER' : addTags(change, memberId, [tag])
  },
})

export const listeners = [rules({ nodes: [setTag] })]
