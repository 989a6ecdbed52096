import * as z from 'zod'
import { EDITION_ARRIVALS, editionFields, editionSteps } from '#kit/model/edition.ts'
import { dictionary, id, inDetail, instant, number, text, version } from '#kit/model/field.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'
import { defineReference, defineResource, type RecordOf } from '#kit/model/resource.ts'
import { defineWorkflowWith } from '#kit/model/workflow.ts'
import { area } from '../area.ts'

export const MAX_DAYS = 3_650
export const MAX_LESSONS = 500
export const MAX_WORDS = 200

const lesson = z.strictObject({
  /** Stays with the lesson through changes and moves; one that is new is given its own when it is saved. */
  id: z.string().min(1).max(36).optional(),
  title: text(100),
  /** Counted from the day the pupil begins; several lessons may share one. */
  day: z.int().min(1).max(MAX_DAYS),
  material: z.string().trim().max(MAX_WORDS),
  homework: z.string().trim().max(MAX_WORDS),
})
export type Lesson = z.infer<typeof lesson>

const user = z.strictObject({ id: z.string(), name: z.string(), onSale: z.boolean() })

/** What a course teaches, day by day, as it was published last; what is edited waits as a draft beside it. */
export const resource = defineResource({
  screen: area.screens['course-package'],
  table: 'course_package',
  record: z.strictObject({
    id: id(),
    name: text(100),
    stage: dictionary('COURSE_STAGE'),
    days: number(1, MAX_DAYS),
    lessonCount: number(0, MAX_LESSONS),
    ...editionFields(),
    usedBy: inDetail(z.array(user)),
    lessons: inDetail(z.array(lesson).max(MAX_LESSONS)),
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
  editions: {
    table: 'course_edition',
    by: 'package_id',
    lines: {
      lessons: {
        key: 'id',
        name: 'title',
        parts: {
          title: 'lesson.title',
          day: 'lesson.day',
          material: 'lesson.material',
          homework: 'lesson.homework',
        },
      },
    },
  },
  scope: 'shared',
})
export type CoursePackage = RecordOf<typeof resource>

/** What would be taught once the draft is published. */
export type Drafted = { readonly lessons: number }

export const workflow = defineWorkflowWith<Drafted>()(resource)({
  field: 'status',
  arrivals: EDITION_ARRIVALS,
  steps: { ...editionSteps, publish: { ...editionSteps.publish, guard: somethingToLearn } },
})

function somethingToLearn(_row: unknown, _actor: unknown, drafted: Drafted | undefined): Refusal | undefined {
  return drafted && whyNotLearn(drafted.lessons)
}

/** A course without lessons may wait as a draft, but nobody can begin it. */
export const whyNotLearn = (lessons: number): Refusal | undefined =>
  lessons === 0 ? refuse('lessons-missing') : undefined

/** Why these lessons cannot be held on their days: none after the last one, and none before the lesson it follows. */
export function whyNotDays(lessons: readonly Lesson[], days: number): Refusal | undefined {
  const late = lessons.find(({ day }) => day > days)
  if (late) return refuse('lesson-too-late', { title: late.title, day: late.day, days })
  const early = lessons.find(({ day }, at) => day < (lessons[at - 1]?.day ?? 0))
  return early && refuse('lesson-too-early', { title: early.title, day: early.day })
}

export const reference = defineReference({
  name: 'course-package',
  table: 'course_package',
  label: { name: 'name', note: null, tone: 'status' },
  offered: { column: 'status', values: ['PUBLISHED', 'CHANGED'] },
  search: ['name'],
  scope: 'shared',
})
