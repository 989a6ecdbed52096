import * as z from 'zod'
import { numbersEnding } from '#engines/sequence/model.ts'
import { defineResource } from '#kit/model/resource.ts'
import { defineWorkflowWith } from '#kit/model/workflow.ts'
import { area } from '../area.ts'
import { WORK_FILTERS, WORK_SCREEN, type WorkFacts, workFields, workWay } from './fields.model.ts'

export type { Work } from './fields.model.ts'

/** How many comments of each teacher are looked at a second time. */
export const actions = ['setShare']

/** What pupils hand in as pictures. */
export const resource = defineResource({
  ...WORK_SCREEN,
  screen: area.screens.work,
  record: z.strictObject(workFields),
  evidence: ['picture'],
  list: {
    only: { medium: ['PICTURE'] },
    columns: [
      'picture',
      'memberId',
      'lesson',
      'kind',
      'status',
      'submittedAt',
      'score',
      'attempt',
      'characterCount',
      'teacherId',
      'holderId',
      'leasedUntil',
      'assigneeId',
      'commenterId',
      'commentedAt',
      'returnedFor',
      'review',
      'isExcellent',
      'rewardCoins',
      'no',
      'opusId',
      'ownerId',
      'ownerThen',
    ],
    below: { kind: 'lesson', score: 'status', attempt: 'score', teacherId: 'memberId' },
    filters: WORK_FILTERS,
    sort: ['submittedAt', 'score'],
    usual: 'submittedAt:desc',
    tabs: 'status',
    search: ['no', 'memberId', 'lesson'],
    ending: numbersEnding('W'),
  },
  internal: ['beforeId', 'medium', 'video', 'durationSeconds'],
})

export const workflow = defineWorkflowWith<WorkFacts>()(resource)(workWay(area.screens.work))
