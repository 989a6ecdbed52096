import * as z from 'zod'
import { WORK_FILTERS, WORK_SCREEN, type WorkFacts, workFields, workWay } from '#areas/members/work/fields.model.ts'
import { numbersEnding } from '#engines/sequence/model.ts'
import { defineResource } from '#kit/model/resource.ts'
import { defineWorkflowWith } from '#kit/model/workflow.ts'
import { area } from '../area.ts'

/** What pupils hand in as films: the hand that writes, and how its child sits. */
export const resource = defineResource({
  ...WORK_SCREEN,
  screen: area.screens['video-work'],
  record: z.strictObject(workFields),
  evidence: ['video'],
  list: {
    only: { medium: ['VIDEO'] },
    columns: [
      'picture',
      'memberId',
      'lesson',
      'status',
      'submittedAt',
      'kind',
      'durationSeconds',
      'teacherId',
      'score',
      'attempt',
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
    below: {
      kind: 'lesson',
      durationSeconds: 'lesson',
      score: 'status',
      attempt: 'score',
      teacherId: 'memberId',
    },
    filters: [...WORK_FILTERS, 'durationSeconds'],
    sort: ['submittedAt', 'score'],
    usual: 'submittedAt:desc',
    tabs: 'status',
    search: ['no', 'memberId', 'lesson'],
    ending: numbersEnding('W'),
  },
  internal: ['beforeId', 'medium'],
})

export const workflow = defineWorkflowWith<WorkFacts>()(resource)(workWay(area.screens['video-work']))
