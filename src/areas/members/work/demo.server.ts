import { sql } from 'kysely'
import { saidBy } from '#areas/members/member/demo-consent.server.ts'
import { type Member, membersOf, ownerAt } from '#areas/members/member/demo-joining.server.ts'
import { lessonTaken, teacherOf } from '#areas/members/member/demo-learning.server.ts'
import type { Random } from '#demo/builders.server.ts'
import type { NewRow } from '#demo/insert-rows.server.ts'
import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'
import {
  byTime,
  chanceOf,
  colleague,
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  owned,
  remembered,
  type World,
} from '#demo/world.server.ts'
import { coinsFor, ledgerOf } from '#engines/entitlement/demo.server.ts'
import { criteriaOf, type Kind, type Mark, type Scores, scoreOf } from './comment.model.ts'
import { FILM_SECONDS } from './demo-films.server.ts'
import { drawPage, LESSONS } from './demo-pages.server.ts'
import { levelOf, pointsFor, skillAt, skillOfLevel } from './demo-progress.server.ts'
import { momentAt } from './desk-state.model.ts'
import { neededFor } from './fields.model.ts'
import { isWritten } from './suggestion.model.ts'

const chance = chanceOf('members/work')
const chanceOfFilm = chanceOf('members/work: films')

const COINS = 5
const REWARDED_FROM = 60
/** Of the last day and a half, in a business of the usual size. */
const WAITING = 36
const FILMS_WAITING = 12
const WORDS = [
  '横平竖直，笔画扎实，继续保持！',
  '比上一次进步明显，老师为你高兴！',
  '注意把字写在格子中间，重心放稳。',
  '收笔太快，每一笔写到位再提笔。',
] as const
const RETURNED = ['照片太暗，看不清笔画', '只拍到半页，请整页重拍', '不是这节课的内容'] as const

type HandedIn = {
  readonly id: number
  readonly no: string
  readonly member: Member
  readonly kind: Kind
  readonly lesson: number
  readonly at: number
  readonly isFilm: boolean
  readonly judged: { readonly at: number; readonly scores: Scores; readonly score: number } | null
}
const handedIn = remembered((): HandedIn[] => [])

/** How far each pupil has come: one lesson after the other, and again from the first. */
type Path = { readonly firstAt: number; works: number }
const paths = remembered((): Map<Member, Path> => new Map())
function pathOf(world: World, member: Member, at: number): Path {
  const path = paths(world).get(member) ?? { firstAt: at, works: 0 }
  paths(world).set(member, path)
  return path
}

/** Whoever came to a lesson hands something in the same evening, and is told the next day; some are filmed as well. */
function plan(world: World): void {
  const random = chance(world)
  const films = chanceOfFilm(world)
  lessonTaken.hear(world, (at, { member }) => {
    if (films.chance(0.05))
      handIn(world, films, member, films.pick(['PRACTICE', 'PRACTICE', 'POSTURE', 'GRIP'] as const), at, true)
    if (!random.chance(0.8)) return
    const kind = random.weighted<Kind>([
      ['HOMEWORK', 60],
      ['PRACTICE', 22],
      ['POSTURE', 8],
      ['GRIP', 6],
      ['COPYBOOK', 4],
    ])
    handIn(world, random, member, kind, at, false)
  })
}

function handIn(world: World, random: Random, member: Member, kind: Kind, at: number, isFilm: boolean): void {
  const judgedAt = at + random.whole(2, 22) * HOUR_MS
  const skill = skillAt(member.id, pathOf(world, member, at).firstAt, at)
  const scores = Object.fromEntries(criteriaOf(kind).map(name => [name, pointsFor(random, skill)]))
  const isOver = judgedAt < world.now.getTime() - HOUR_MS && !random.chance(0.04)
  const judged = isOver ? { at: judgedAt, scores, score: scoreOf(kind, scores) } : null
  const work = add(world, { member, kind, at, isFilm, judged })
  if (!judged || judged.score < REWARDED_FROM) return
  world.agenda.at(judgedAt + 2 * MINUTE_MS, then =>
    ledgerOf(world).give(then, {
      memberId: member.id,
      source: 'REWARD',
      grants: [coinsFor('作品金币', COINS)],
      times: 1,
      rewardKey: `work:${work.id}`,
      note: '优秀作业奖励',
    }),
  )
}

function add(world: World, told: Omit<HandedIn, 'id' | 'no' | 'lesson'>): HandedIn {
  const path = pathOf(world, told.member, told.at)
  const lesson = path.works++ % LESSONS.length
  const work = { id: world.ids.next('work'), no: world.numbers.next('W', told.at), lesson, ...told }
  handedIn(world).push(work)
  return work
}

/** All there is once the two years are over, with what waits on this day, so that the desk has something on it. */
const worksOf = remembered((world): readonly HandedIn[] => {
  const pupils = membersOf(world).filter(member => teacherOf(world, member) !== null)
  const wait = (random: Random, many: number, kinds: readonly Kind[], isFilm: boolean) => {
    for (let nth = 0; nth < Math.round(many * world.scale) && pupils.length > 0; nth += 1) {
      const at = world.now.getTime() - random.whole(20, 36 * 60) * MINUTE_MS
      const member = random.pick(pupils)
      if (member.createdAt < at - DAY_MS) add(world, { member, kind: random.pick(kinds), at, isFilm, judged: null })
    }
  }
  wait(chance(world), WAITING, ['HOMEWORK', 'PRACTICE', 'GRIP'], false)
  wait(chanceOfFilm(world), FILMS_WAITING, ['PRACTICE', 'POSTURE'], true)
  return handedIn(world).sort((a, b) => a.at - b.at)
})

const lastOf = remembered(world => new Map(worksOf(world).map(({ member, at }) => [member, new Date(at)])))

/** When somebody last handed something in; nothing for who never did. */
export const lastHandedIn = (world: World, member: Member): Date | null => lastOf(world).get(member) ?? null

const KIND_NAMES = { POSTURE: '坐姿', GRIP: '握姿' } as const

function end(world: World): void {
  const last = new Map<string, { id: number; attempt: number }>()
  const works = worksOf(world)
  world.rows.add(
    'work',
    works.map(work => rowOf(world, work, last)),
  )
  const comments = works.flatMap(work => commentOf(world, work))
  world.rows.add(
    'work_comment',
    byTime(comments, ({ at }) => at),
  )
}

function rowOf(world: World, work: HandedIn, last: Map<string, { id: number; attempt: number }>): NewRow<'work'> {
  const random = chance(world)
  const { id, no, member, kind, at, isFilm, judged } = work
  const [lesson, characters] = LESSONS[work.lesson] as (typeof LESSONS)[number]
  const named = kind === 'POSTURE' || kind === 'GRIP' ? KIND_NAMES[kind] : lesson
  const key = `${member.id} ${isFilm} ${kind} ${named}`
  const before = last.get(key)
  const attempt = (before?.attempt ?? 0) + 1
  last.set(key, { id, attempt })
  const teacher = teacherOf(world, member)
  const isSentBack = judged === null && world.now.getTime() - at > 2 * DAY_MS
  const isRewarded = judged !== null && judged.score >= REWARDED_FROM
  return {
    id,
    no,
    opus_id: `W${String(id).padStart(10, '0')}`,
    member_id: member.id,
    medium: isFilm ? 'VIDEO' : 'PICTURE',
    duration_seconds: isFilm ? FILM_SECONDS : null,
    kind,
    lesson: named,
    attempt,
    before_id: before?.id ?? null,
    characters: isWritten(kind) ? characters : null,
    character_count: isWritten(kind) ? characters.length : 0,
    picture: [],
    status: judged ? 'RELEASED' : isSentBack ? 'RETURNED' : 'SUBMITTED',
    score: judged?.score ?? null,
    commenter_id: judged ? (teacher?.id ?? commenterOf(world)) : null,
    commented_at: judged ? new Date(judged.at) : null,
    returned_for: isSentBack ? random.pick(RETURNED) : null,
    review: judged && world.now.getTime() - judged.at < 4 * DAY_MS && random.chance(0.2) ? 'DUE' : 'NONE',
    is_excellent: judged !== null && judged.score >= 95 && mayBeShown(world, work),
    reward_coins: isRewarded ? COINS : 0,
    submitted_at: new Date(at),
    ...owned(ownerAt(member, world.now.getTime(), world.now)),
    owner_then: ownerAt(member, at, world.now)?.id ?? null,
    teacher_id: teacher?.id ?? null,
    version: judged ? 4 : 1,
  }
}

const mayBeShown = (world: World, { member, kind, isFilm }: HandedIn): boolean =>
  neededFor({ medium: isFilm ? 'VIDEO' : 'PICTURE', kind }).every(
    purpose => saidBy(world, member, purpose, world.now.getTime()) === 'GIVEN',
  )

/** What is said of a film where it is seen. */
const MOMENTS: readonly Mark[] = [
  { ...momentAt(1.8), fault: 'START_END', words: '起笔再稳一点' },
  { ...momentAt(4.2), fault: 'GOOD', words: '这一笔写得好' },
]

/** Whoever is there, for pupils who have no teacher any more. */
const commenterOf = (world: World) => colleague(world, 'TEACHER').id

function commentOf(world: World, { id, member, kind, isFilm, judged }: HandedIn): NewRow<'work_comment'>[] {
  if (!judged) return []
  const isRead = isWritten(kind) && !isFilm
  return [
    {
      work_id: id,
      staff_id: teacherOf(world, member)?.id ?? commenterOf(world),
      at: new Date(judged.at),
      status: 'RELEASED',
      marks: isFilm ? MOMENTS : [],
      scores: judged.scores,
      score: judged.score,
      words: chance(world).pick(WORDS),
      // Teachers move it a little, and rather upwards.
      suggested: isRead ? Math.max(0, Math.min(100, judged.score - chance(world).whole(-3, 6))) : null,
    },
  ]
}

/** The newest have pictures, and everything of some who have practised longest; the pages drawn of a lesson are handed out again. */
const PICTURED = 120
const SEEN_WHOLE = 12

/** Who does what with works, whatever they were handed in as. */
export const HOLDS: NonNullable<Story['holds']> = {
  TEACHER: [...READ, 'take', 'handOver'],
  AFTERSALES_MANAGER: [
    'passReview',
    'overturn',
    'askReview',
    'markExcellent',
    'unmarkExcellent',
    'hide',
    'showAgain',
    'export',
    'reveal',
  ],
  // What their own pupils hand in.
  SALES: READ,
  SALES_MANAGER_COPY: READ,
  OPERATIONS: READ,
  AUDITOR: READ,
}

type Drawn = { id: string; no: string; lesson: string; memberId: string; at: string; firstAt: string }

export const demo: Story = {
  // Whose comments are looked at again is set in one place for both.
  holds: { ...HOLDS, AFTERSALES_MANAGER: [...(HOLDS.AFTERSALES_MANAGER ?? []), 'setShare'] },
  plan,
  end,
  photographed: {
    table: 'work',
    async read(tx) {
      const { rows } = await sql<Drawn>`
        with written as (
          select id, no, lesson, member_id, submitted_at as at,
            row_number() over (order by submitted_at desc, id) as nth
          from work where medium = 'PICTURE' and kind in ('HOMEWORK', 'PRACTICE', 'COPYBOOK')
        ), longest as (select member_id from written group by 1 order by count(*) desc, 1 limit ${SEEN_WHOLE})
        select w.id, no, lesson, w.member_id as "memberId", w.at, first.at as "firstAt" from written w
        cross join lateral (select min(submitted_at) as at from work where member_id = w.member_id) first
        where nth <= ${PICTURED} or member_id in (select member_id from longest) order by w.at desc, w.id`.execute(tx)
      return rows.map(({ id, no, lesson, memberId, at, firstAt }) => {
        const page = LESSONS.findIndex(([name]) => name === lesson)
        const level = levelOf(skillAt(Number(memberId), Date.parse(firstAt), Date.parse(at)))
        const draw = () => drawPage(page, level, skillOfLevel(level))
        return { id, name: no, at: new Date(at), same: `${page} ${level}`, draw }
      })
    },
  },
}
