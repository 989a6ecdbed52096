import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'
import { colleague, DAY_MS, type World } from '#demo/world.server.ts'
import { ledgerOf } from '#engines/entitlement/demo.server.ts'

type Lesson = {
  readonly id: string
  readonly title: string
  readonly day: number
  readonly material: string
  readonly homework: string
}
type Schedule = { readonly days: number; readonly lessons: readonly Lesson[] }

/** A stage of the way from holding the pen to running script. */
type CourseDesign = {
  readonly name: string
  readonly stage: string
  /** Oldest first; none before the first is published. */
  readonly editions: readonly (Schedule & { readonly daysAgo: number; readonly restores?: number })[]
  /** What somebody works at, begun from the newest edition unless another came since. */
  readonly draft?: Schedule & { readonly base: number }
}

const MATERIALS = ['示范视频', '字帖讲解', '动画演示', '直播回放'] as const
const HOMEWORKS = ['临写一页', '拍照上传 5 个字', '听写并自评', '录一段运笔视频'] as const

/** Lessons with these titles, spread evenly over so many days. */
const lessonsOf = (days: number, titles: readonly string[]): Lesson[] =>
  titles.map((title, index) => ({
    // One lesson of a course is the same in all its editions, wherever it stands.
    id: title,
    title,
    day: 1 + Math.floor((index * days) / titles.length),
    material: MATERIALS[index % MATERIALS.length] as string,
    homework: HOMEWORKS[index % HOMEWORKS.length] as string,
  }))

const CONTROL = ['正确坐姿与握笔', '直线与斜线', '弧线与圆', '控笔综合练习']
const STROKES = ['横', '竖', '撇', '捺', '点', '提', '横折', '竖钩', '横撇', '竖弯钩', '撇折', '横折钩', '斜钩', '卧钩']
const CAMP = ['开营与摸底', ...STROKES, '偏旁一', '偏旁二', '偏旁三', '整字练习', '诗句练习', '结营作品']
const STRUCTURE = [
  '独体字',
  '左右结构',
  '左中右结构',
  '上下结构',
  '上中下结构',
  '半包围',
  '全包围',
  '品字结构',
].flatMap(name => [`${name}的要领`, `${name}的练习`])
const LAYOUT = ['天头地脚', '字距', '行距', '落款', '印章', '横幅', '条幅', '斗方', '扇面', '作品赏析']
const RUNNING = ['连笔', '省笔', '变形', '呼应', '疏密', '轻重', '快慢', '牵丝', '章法', '创作'].flatMap(name => [
  `行楷的${name}`,
  `${name}临写`,
])
const COUPLETS = ['春联的格式', '福字写法', '上联', '下联', '横批']

const of = (days: number, titles: readonly string[]): Schedule => ({ days, lessons: lessonsOf(days, titles) })
const without = (titles: readonly string[], ...gone: readonly string[]) => titles.filter(title => !gone.includes(title))
/** The last of them taught first. */
const lastFirst = (titles: readonly string[]) => [...titles.slice(-1), ...titles.slice(0, -1)]

const COURSES: readonly CourseDesign[] = [
  {
    name: '控笔入门体验',
    stage: 'CONTROL',
    // The second was taken back, while somebody already worked at the third.
    editions: [
      { ...of(7, CONTROL), daysAgo: 755 },
      { ...of(7, without(CONTROL, '弧线与圆')), daysAgo: 320 },
      { ...of(7, CONTROL), daysAgo: 300, restores: 1 },
    ],
    draft: { ...of(7, [...without(CONTROL, '弧线与圆'), '点与提']), base: 2 },
  },
  { name: '21天练字训练营', stage: 'STROKE', editions: [{ ...of(21, CAMP), daysAgo: 755 }] },
  {
    name: '结构进阶',
    stage: 'STRUCTURE',
    editions: [
      { ...of(90, without(STRUCTURE, '品字结构的要领', '品字结构的练习')), daysAgo: 755 },
      { ...of(90, lastFirst(without(STRUCTURE, '品字结构的要领', '品字结构的练习'))), daysAgo: 400 },
      { ...of(120, STRUCTURE), daysAgo: 60 },
    ],
  },
  { name: '章法提升', stage: 'LAYOUT', editions: [{ ...of(90, LAYOUT), daysAgo: 755 }] },
  {
    name: '行楷进阶',
    stage: 'RUNNING',
    editions: [
      { ...of(180, without(RUNNING, '行楷的创作', '创作临写')), daysAgo: 755 },
      { ...of(180, RUNNING), daysAgo: 210 },
    ],
    draft: { ...of(180, [...RUNNING, '行楷结业作品']), base: 2 },
  },
  { name: '春联书写', stage: 'LAYOUT', editions: [], draft: { ...of(10, COUPLETS), base: 0 } },
]

/** Published as pupils will hold it: each keeps the edition that is the newest when it is given. */
function plan(world: World): void {
  const { ids, now, since, rows } = world
  const publisher = colleague(world, 'OPERATIONS_MANAGER')
  const author = colleague(world, 'OPERATIONS')
  for (const { name, stage, editions, draft } of COURSES) {
    const id = ids.named('course_package', name)
    const bodyOf = ({ days, lessons }: Schedule) => ({ name, stage, days, lessons })
    // What it consists of comes with its first edition.
    const published = editions.at(-1) ?? { days: draft?.days ?? 1, lessons: [] }
    rows.add('course_package', [
      {
        id,
        ...bodyOf(published),
        edition: editions.length,
        status: editions.length === 0 ? 'DRAFT' : draft ? 'CHANGED' : 'PUBLISHED',
        created_at: since,
      },
    ])
    for (const [index, edition] of editions.entries()) {
      const row = { id: ids.next('course_edition'), at: now.getTime() - edition.daysAgo * DAY_MS }
      ledgerOf(world).publish(id, row)
      const signed = { by: publisher.id, at: new Date(row.at) }
      rows.add('course_edition', [
        {
          id: row.id,
          package_id: id,
          state: index + 1 === editions.length ? 'PUBLISHED' : 'SUPERSEDED',
          base: index,
          restores: edition.restores ?? null,
          body: bodyOf(edition),
          drafted_by: (edition.restores === undefined ? author : publisher).id,
          drafted_at: signed.at,
          edition: index + 1,
          published_by: signed.by,
          published_at: signed.at,
        },
      ])
    }
    if (draft)
      rows.add('course_edition', [
        {
          id: ids.next('course_edition'),
          package_id: id,
          state: 'DRAFT',
          base: draft.base,
          restores: null,
          body: bodyOf(draft),
          drafted_by: author.id,
          drafted_at: new Date(now.getTime() - DAY_MS),
          edition: null,
          published_by: null,
          published_at: null,
        },
      ])
  }
}

export const demo: Story = {
  holds: {
    SALES: READ,
    OPERATIONS: [...READ, 'create', 'update', 'delete', 'export', 'drafts', 'discard'],
    OPERATIONS_MANAGER: ['publish', 'restore'],
    AUDITOR: [...READ, 'drafts'],
  },
  plan,
  enters: () => ({ lessons: [{ title: '横', day: 1, material: '', homework: '' }] }),
}
