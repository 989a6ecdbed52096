import { defineDeed, rules } from '#engines/rule/declared.server.ts'
import { Refused, refuse } from '#kit/model/refusal.ts'
import type { App } from '#kit/server/app.ts'
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

const setTag = defineDeed({
  name: 'setTag',
  texts: resource.screen.name,
  parameters: { tag: 'text' },
  offers: async app => ({ tag: await tagsOffered(app, app.db.query) }),
  async act(change, { memberId }, { tag }) {
    const { app, tx } = change
    if (memberId === null) return 'NO_MEMBER'
    if (!(await tagsOffered(app, tx)).includes(tag)) return 'UNKNOWN'
    await lockMember(tx, memberId)
    const member = await tx
      .selectFrom('member')
      .select(['id', 'tags', 'status'])
      .where('id', '=', memberId)
      .executeTakeFirstOrThrow()
    if (member.status === 'CLOSED') return 'CLOSED'
    if (member.tags.includes(tag)) return 'DONE'
    if (member.tags.length >= MAX_TAGS) return 'FULL'
    await writeChange(change, resource, member, { tags: retagged(member.tags, [tag], []) }, 'tag')
    return 'DONE'
  },
})

export const listeners = [rules({ nodes: [setTag] })]
