import * as z from 'zod'
import { defineChild } from '#kit/model/child.ts'
import { choice, day, flag, id, instant, money, reference, text } from '#kit/model/field.ts'
import { resource } from '../model.ts'
import { REWARD_KINDS } from '../rewarding.model.ts'

/** What a teacher was given, by whom, and whether the teacher served at a school then. */
export const child = defineChild({
  of: resource,
  name: 'rewards',
  by: 'teacherId',
  table: 'school_teacher_reward',
  record: z.strictObject({
    id: id(),
    teacherId: reference('school-teacher'),
    rewardKind: choice(REWARD_KINDS),
    valueFen: money(1),
    what: text(200),
    givenOn: day(),
    byId: reference('staff'),
    wasServing: flag(),
    createdAt: instant(),
  }),
  title: 'what',
  list: {
    columns: ['givenOn', 'rewardKind', 'what', 'valueFen', 'wasServing', 'byId', 'createdAt'],
    filters: ['givenOn', 'rewardKind'],
    sort: ['givenOn'],
    search: [],
  },
})
