import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { findBroken } from '../src/kit/server/change/invariants.ts'
import { foldCounts } from '../src/kit/server/start/housekeeping.ts'
import { enrol } from '../tools/testing/commerce.ts'
import { person } from '../tools/testing/instance.ts'
import { rounds } from './rounds.ts'
import { atOnce, openTwoInstances, persistent, type TwoInstances } from './two-instances.ts'

const WRITERS = 8
const WRITES = rounds(400)
const LEVELS = ['TRIAL', 'MEMBER', 'EXPIRED'] as const

let two: TwoInstances
let people: { id: string; orgId: string }[]
beforeAll(async () => {
  two = await openTwoInstances()
  people = await persistent(4, () => person(two.at(0)))
})

const anyOf = <T>(of: readonly T[]): T => of[Math.floor(Math.random() * of.length)] as T
/** Whose a member is and who cares for her, or nobody. */
const anyone = () => {
  const owner = anyOf([undefined, ...people])
  return {
    owner_id: owner?.id ?? null,
    org_id: owner?.orgId ?? null,
    teacher_id: anyOf([null, ...people.map(({ id }) => id)]),
  }
}

/** One writer's members come, change hands, carers and states, and go. */
async function writeOn(nth: number): Promise<void> {
  const { query } = two.at(nth).app.db
  const own: string[] = []
  for (let write = 0; write < WRITES; write += 1) {
    const deed = anyOf(['come', 'change', 'change', 'go'] as const)
    if (deed === 'come' || own.length === 0) own.push(await enrol(two.at(nth)))
    else if (deed === 'change')
      await query
        .updateTable('member')
        .set({ ...anyone(), level: anyOf(LEVELS) })
        .where('id', 'in', own)
        .execute()
    else
      await query
        .deleteFrom('member')
        .where('id', '=', own.pop() ?? '')
        .execute()
  }
}

/** Counted and kept, by department, owner, carer and state. */
const cells = async (): Promise<{ counted: unknown[]; kept: unknown[] }> => {
  const { rows } = two.at(0).app.db.read
  return {
    counted: await rows(
      'select org_id, owner_id, teacher_id as carer_id, level as state, count(*)::int as n from member group by 1, 2, 3, 4 order by 1, 2, 3, 4',
      [],
    ),
    kept: await rows(
      `select org_id, owner_id, carer_id, state, sum(n)::int as n from kept_count where table_name = 'member'
       group by 1, 2, 3, 4 having sum(n) <> 0 order by 1, 2, 3, 4`,
      [],
    ),
  }
}

test('while members come, change hands, carers and states, and go, folding their counts loses none of them', async () => {
  let [isOver, folds] = [false, 0]
  const folding = atOnce(2, async nth => {
    while (!isOver) {
      await two.at(nth).app.db.write(foldCounts)
      folds += 1
      await sleep(1)
    }
  })
  await persistent(WRITERS, writeOn)
  isOver = true
  await folding
  expect(folds).toBeGreaterThan(2)
  const before = await cells()
  expect(before.kept).toEqual(before.counted)
  await two.at(0).app.db.write(foldCounts)
  const after = await cells()
  expect(after.kept).toEqual(after.counted)
  // Folded for good: one row for each cell.
  const [left] = await two
    .at(0)
    .app.db.read.rows(`select count(*)::int as n from kept_count where table_name = 'member'`, [])
  expect(left?.n).toBe(after.kept.length)
  expect(await findBroken(two.at(0).app.db, two.at(0).catalogue)).toEqual([])
})
