import { sql } from 'kysely'
import * as z from 'zod'
import { defineNode, defineRuleEvent, rules } from '#engines/rule/declared.server.ts'
import { throughChain } from '#engines/rule/server.ts'
import { isStorable } from '#kit/model/storable.ts'
import { holdersSql } from '#kit/server/access/rights.ts'
import type { App, Change } from '#kit/server/app.ts'
import { run } from '#kit/server/database/database.ts'
import type { Medium, Work } from './fields.model.ts'
import { lockWork, writeWork } from './leasing.server.ts'
import { RESOURCES } from './resources.model.ts'

const texts = RESOURCES.PICTURE.screen.name
const MAX_ACCOUNT = 50

/** What a chain knows of a work. Nothing of it names a person. */
const FACTS = {
  kind: 'text',
  medium: 'text',
  lesson: 'text',
  attempt: 'whole',
  characters: 'whole',
  /** Of the pupil, and what they came to; 0 where there are none. */
  worksBefore: 'whole',
  average: 'whole',
  hasTeacher: 'truth',
} as const

const outcome = z.object({
  handTo: z.string().trim().min(1).max(MAX_ACCOUNT).refine(isStorable).optional(),
  review: z.boolean().optional(),
})

/** A work was handed in: it waits in the queue meanwhile, and whoever takes it before the chain has spoken keeps it (decision 058). */
const workHandedIn = defineRuleEvent({
  name: 'workHandedIn',
  texts,
  facts: FACTS,
  outcome,
  shipped: 'THEN(usualQueue)',
  ms: 1_500,
  read,
  async settle(change, recordId, { outcome: { handTo, review } }) {
    const row = await lockWork(change.tx, recordId)
    if (row?.status !== 'SUBMITTED' || row.assigneeId !== null) return
    const assigneeId = handTo && (await teacherCalled(change, handTo, row.medium as Medium))
    const given: Partial<Work> = {
      ...(assigneeId ? { assigneeId } : {}),
      ...(review && row.review === 'NONE' ? { review: 'DUE' as const } : {}),
    }
    if (Object.keys(given).length > 0) await writeWork(change, row, given, 'triage')
  },
  concerns: (tx, id) =>
    tx
      .selectFrom('work')
      .select(['member_id as memberId', sql<string | null>`coalesce(assignee_id, teacher_id, owner_id)`.as('staffId')])
      .where('id', '=', id)
      .executeTakeFirst(),
})

export const triaged = (change: Change, id: string) => throughChain(change, workHandedIn, id)

async function read(app: App, id: string) {
  const { rows } = await sql<{
    no: string
    version: number
    kind: string
    medium: string
    lesson: string
    attempt: number
    characters: number
    worksBefore: number
    average: number
    hasTeacher: boolean
  }>`
    select w.no, w.version, w.kind, w.medium, w.lesson, w.attempt, w.character_count as characters, w.teacher_id is not null as "hasTeacher",
      b.works as "worksBefore", b.average
    from work w, lateral (
      select count(*)::int as works, coalesce(round(avg(o.score)), 0)::int as average from work o where o.member_id = w.member_id and o.id < w.id) b
    where w.id = ${id}`.execute(app.db.query)
  const [row] = rows
  if (!row) return undefined
  const { no, version, ...facts } = row
  return { no, version, facts }
}

/** Who is called so, works here and may take works from the desk; else it stays in the queue. */
async function teacherCalled({ tx }: Change, account: string, medium: Medium): Promise<string | undefined> {
  const values: unknown[] = [account]
  const bind = (value: unknown) => `$${values.push(value)}`
  const holders = holdersSql({ page: RESOURCES[medium].screen.key, action: 'take' }, bind)
  const [found] = await run(
    tx,
    `select t.id from staff t where t.account = $1 and t.status = 'ENABLED' and t.id in (${holders})`,
    values,
  )
  return found && String(found.id)
}

const nodes = [
  defineNode({ name: 'usualQueue', texts, type: 'common', parameters: {}, run: () => ({}) }),
  defineNode({
    name: 'handWork',
    texts,
    type: 'common',
    parameters: { account: 'text' },
    answers: ['handTo'],
    run: (_asked, { account }) => ({ handTo: account }),
  }),
  defineNode({
    name: 'reviewWork',
    texts,
    type: 'common',
    parameters: {},
    answers: ['review'],
    run: () => ({ review: true }),
  }),
]

export const triage = rules({ events: [workHandedIn], nodes })
