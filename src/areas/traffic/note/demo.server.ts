import type { NewRow } from '#demo/insert-rows.server.ts'
import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'
import { chanceOf, DAY_MS, HOUR_MS, remembered, type World } from '#demo/world.server.ts'
import { addDays, dayOf } from '#kit/model/time.ts'
import { countNotes } from './counting.server.ts'

const chance = chanceOf('traffic/note')

const ACCOUNTS = ['OFFICIAL', 'TEACHER', 'PARENT', 'WORKS'] as const
const TITLES = [
  '三年级字丑？先改这三个习惯',
  '21 天控笔打卡，妈妈看了都说值',
  '握笔姿势一张图讲清楚',
  '田字格怎么写才不挤',
  '一年级写字慢，问题出在笔顺',
  '孩子的作业终于不用重抄了',
  '硬笔老师示范：横折钩',
  '书法考级到底要不要考',
  '卷面分一年涨了 4 分',
  '低年级控笔练习免费领',
  '从潦草到工整，只练了 30 天',
  '老师点评：这几个字扣分最多',
] as const

export type DemoNote = {
  readonly id: number
  readonly noteNo: string
  readonly account: string
  readonly operatorId: string
  readonly at: number
}
/** All notes of the two years, oldest first. */
export const notesIn = remembered((): DemoNote[] => [])

const DAYS = 730
const NEW_DAYS = 45

/** A few notes a week on each account; what is new is looked at every day, what is old once a month. */
function plan(world: World): void {
  const random = chance(world)
  const operators = world.staff.filter(({ role, enabled }) => role === 'OPERATIONS' && enabled)
  const today = world.now.getTime()
  for (let ago = DAYS; ago >= 1; ago -= 1)
    for (const [nth, account] of ACCOUNTS.entries()) {
      if (!random.chance(0.18)) continue
      const id = world.ids.next('note')
      const at = today - ago * DAY_MS + random.whole(-3, 6) * HOUR_MS
      const operator = operators[nth % operators.length]
      if (!operator || at > today) continue
      const noteNo = `66${(20_260_000 + id * 7_919).toString(16)}000000000${id.toString(16).padStart(4, '0')}`
      const reach = Math.round(400 * Math.exp(random.fraction() * 3.6))
      const snapshots = daysOf(world, at).map(day => snapshotOf(world, id, at, day, reach))
      const last = snapshots.at(-1)
      world.rows.add('note', [
        {
          id,
          note_no: noteNo,
          title: random.pick(TITLES),
          account,
          note_type: random.chance(0.35) ? 'VIDEO' : 'PICTURES',
          link: `https://www.xiaohongshu.com/explore/${noteNo}`,
          operator_id: operator.id,
          published_at: new Date(at),
          status: random.weighted([
            ['NORMAL', 90],
            ['LIMITED', 5],
            ['VIOLATION', 2],
            ['DELETED', 3],
          ]),
          reported_on: last?.day ?? null,
          reads: last?.reads ?? 0,
          likes: last?.likes ?? 0,
          saves: last?.saves ?? 0,
          comments: last?.comments ?? 0,
          messages: last?.messages ?? 0,
          created_at: new Date(at),
        },
      ])
      world.rows.add('note_snapshot', snapshots)
      notesIn(world).push({ id, noteNo, account, operatorId: operator.id, at })
    }
}

/** On which days the platform was asked: each of the last weeks, and of what is older each thirtieth. */
function daysOf({ now }: World, at: number): string[] {
  const [first, last] = [dayOf(new Date(at)), addDays(dayOf(now), -1)]
  const days: string[] = []
  const isNew = now.getTime() - at < NEW_DAYS * DAY_MS
  for (let day = first; day <= last; day = addDays(day, isNew ? 1 : 30)) days.push(day)
  return days
}

function snapshotOf(world: World, id: number, at: number, day: string, reach: number): NewRow<'note_snapshot'> {
  const age = Math.max(1, (Date.parse(day) - at) / DAY_MS + 1)
  // Half of all who ever read a note do so within four days.
  const reads = Math.round(reach * (1 - 0.5 ** (age / 4)))
  const share = (of: number) => Math.round(reads * of)
  return {
    note_id: id,
    day,
    reads,
    likes: share(0.045),
    saves: share(0.028),
    comments: share(0.006),
    messages: share(0.004),
    reported_at: new Date(Math.min(Date.parse(addDays(day, 1)) + 2 * HOUR_MS, world.now.getTime())),
  }
}

const KEEP = [
  ...READ,
  'create',
  'update',
  'import',
  'markLimited',
  'markNormal',
  'markViolation',
  'markDeleted',
  'export',
] as const

export const demo: Story = {
  holds: { OPERATIONS: KEEP, AUDITOR: READ },
  plan,
  stored: tx => countNotes({ tx }),
  enters: () => ({ publishedAt: '2026-03-02T10:00:00+08:00' }),
}
