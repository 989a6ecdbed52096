import * as z from 'zod'
import { choice, dictionary, id, inDetail, instant, number, text, version } from '#kit/model/field.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'
import { defineReference, defineResource, type RecordOf } from '#kit/model/resource.ts'
import { defineWorkflow } from '#kit/model/workflow.ts'
import { area } from '../area.ts'

export const MAX_DAYS = 3_650
export const MAX_LESSONS = 500
export const MAX_WORDS = 200

const lesson = z.strictObject({
  title: text(100),
  /** Counted from the day the pupil begins; several lessons may share one. */
  day: z.int().min(1).max(MAX_DAYS),
  material: z.string().trim().max(MAX_WORDS),
  homework: z.string().trim().max(MAX_WORDS),
})
export type Lesson = z.infer<typeof lesson>

const user = z.strictObject({ id: z.string(), name: z.string(), onSale: z.boolean() })
/** What was published once stays: pupils keep the edition they began with. */
const edition = z.strictObject({
  edition: z.int(),
  lessons: z.int(),
  publishedBy: z.string(),
  publishedAt: z.string(),
  pupils: z.int(),
})

/** What a course teaches, day by day. Its lessons are a working copy until they are published as an edition. */
export const resource = defineResource({
  screen: area.screens['course-package'],
  table: 'course_package',
  record: z.strictObject({
    id: id(),
    name: text(100),
    stage: dictionary('COURSE_STAGE'),
    days: number(1, MAX_DAYS),
    lessonCount: number(0, MAX_LESSONS),
    edition: number(0, 1_000_000),
    status: choice({ DRAFT: 'idle', PUBLISHED: 'done', CHANGED: 'attention' }),
    usedBy: inDetail(z.array(user)),
    lessons: inDetail(z.array(lesson).max(MAX_LESSONS)),
    editions: inDetail(z.array(edition)),
    createdAt: instant(),
    version: version(),
  }),
  title: 'name',
  brief: ['name', 'stage', 'lessonCount', 'edition'],
  list: {
    columns: ['name', 'stage', 'status', 'lessonCount', 'days', 'edition', 'createdAt'],
    filters: ['stage', 'status'],
    sort: ['name'],
    tabs: 'status',
    search: ['name'],
  },
  create: ['name', 'stage', 'days', 'lessons'],
  edit: ['name', 'stage', 'days', 'lessons'],
  actions: ['list', 'detail', 'create', 'update', 'delete', 'export'],
  scope: 'shared',
})
export type CoursePackage = RecordOf<typeof resource>

export const workflow = defineWorkflow(resource)({
  field: 'status',
  arrivals: ['DRAFT', 'CHANGED'],
  steps: {
    publish: { from: ['DRAFT', 'CHANGED'], to: 'PUBLISHED', guard: somethingToLearn, back: 'stays' },
  },
})

function somethingToLearn({ lessonCount }: Pick<CoursePackage, 'lessonCount'>): Refusal | undefined {
  if (lessonCount === 0) return refuse('lessons-missing')
}

/** Why these lessons cannot be held on their days: none after the last one, and none before the lesson it follows. */
export function whyNotDays(lessons: readonly Lesson[], days: number): Refusal | undefined {
  const late = lessons.find(({ day }) => day > days)
  if (late) return refuse('lesson-too-late', { title: late.title, day: late.day, days })
  const early = lessons.find(({ day }, at) => day < (lessons[at - 1]?.day ?? 0))
  return early && refuse('lesson-too-early', { title: early.title, day: early.day })
}

/** Whether two lists would teach the same. */
export const isSameCourse = (some: readonly Lesson[], others: readonly Lesson[]): boolean =>
  some.length === others.length &&
  some.every((one, at) =>
    (['title', 'day', 'material', 'homework'] as const).every(field => one[field] === others[at]?.[field]),
  )

export const reference = defineReference({
  name: 'course-package',
  table: 'course_package',
  label: { name: 'name', note: null, tone: 'status' },
  offered: { column: 'status', values: ['PUBLISHED', 'CHANGED'] },
  search: ['name'],
  scope: 'shared',
})
