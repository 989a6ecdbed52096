import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'
import { colleague, DAY_MS, type World } from '#demo/world.server.ts'
import { ledgerOf } from '#engines/entitlement/demo.server.ts'

type Lesson = { readonly title: string; readonly day: number; readonly material: string; readonly homework: string }

/** A stage of the way from holding the pen to running script. */
type CourseDesign = {
  readonly name: string
  readonly stage: string
  readonly days: number
  readonly lessons: readonly Lesson[]
  /** Oldest first; none while it is a draft. */
  readonly publishedDaysAgo: readonly number[]
  /** What somebody is working at since the last edition. */
  readonly changed?: readonly Lesson[]
}

const MATERIALS = ['示范视频', '字帖讲解', '动画演示', '直播回放'] as const
const HOMEWORKS = ['临写一页', '拍照上传 5 个字', '听写并自评', '录一段运笔视频'] as const

/** Lessons with these titles, spread evenly over so many days. */
const lessonsOf = (days: number, titles: readonly string[]): Lesson[] =>
  titles.map((title, index) => ({
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

const COURSES: readonly CourseDesign[] = [
  {
    name: '控笔入门体验',
    stage: 'CONTROL',
    days: 7,
    lessons: lessonsOf(7, CONTROL),
    publishedDaysAgo: [755, 320],
  },
  { name: '21天练字训练营', stage: 'STROKE', days: 21, lessons: lessonsOf(21, CAMP), publishedDaysAgo: [755] },
  {
    name: '结构进阶',
    stage: 'STRUCTURE',
    days: 120,
    lessons: lessonsOf(120, STRUCTURE),
    publishedDaysAgo: [755, 400, 60],
  },
  { name: '章法提升', stage: 'LAYOUT', days: 90, lessons: lessonsOf(90, LAYOUT), publishedDaysAgo: [755] },
  {
    name: '行楷进阶',
    stage: 'RUNNING',
    days: 180,
    lessons: lessonsOf(180, RUNNING),
    publishedDaysAgo: [755, 210],
    changed: lessonsOf(180, [...RUNNING, '行楷结业作品']),
  },
  { name: '春联书写', stage: 'LAYOUT', days: 10, lessons: lessonsOf(10, COUPLETS), publishedDaysAgo: [] },
]

/** Published as pupils will hold it: each keeps the edition that is the newest when it is given. */
function plan(world: World): void {
  const { ids, now, since, rows } = world
  const publisher = colleague(world, 'OPERATIONS_MANAGER')
  for (const { name, stage, days, lessons, publishedDaysAgo, changed } of COURSES) {
    const id = ids.named('course_package', name)
    rows.add('course_package', [
      {
        id,
        name,
        stage,
        days,
        lessons: changed ?? lessons,
        edition: publishedDaysAgo.length,
        status: publishedDaysAgo.length === 0 ? 'DRAFT' : changed ? 'CHANGED' : 'PUBLISHED',
        created_at: since,
      },
    ])
    for (const [index, daysAgo] of publishedDaysAgo.entries()) {
      const edition = { id: ids.next('course_edition'), at: now.getTime() - daysAgo * DAY_MS }
      ledgerOf(world).publish(id, edition)
      rows.add('course_edition', [
        {
          id: edition.id,
          package_id: id,
          edition: index + 1,
          lessons: lessons,
          published_by: publisher.id,
          published_at: new Date(edition.at),
        },
      ])
    }
  }
}

export const demo: Story = {
  holds: { SALES: READ, OPERATIONS: [...READ, 'create', 'update', 'delete', 'export', 'publish'] },
  plan,
}
