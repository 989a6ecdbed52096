import * as z from 'zod'
import { MOST_LINK } from '#engines/copybook/order.model.ts'
import {
  choice,
  colleague,
  day,
  dictionary,
  flag,
  id,
  inDetail,
  instant,
  longText,
  money,
  number,
  optional,
  personal,
  personName,
  reference as ref,
  text,
  version,
} from '#kit/model/field.ts'
import { MAX_FEN } from '#kit/model/money.ts'
import { defineReference, defineResource, type RecordOf } from '#kit/model/resource.ts'
import { defineWorkflowWith } from '#kit/model/workflow.ts'
import { area } from '../area.ts'
import { REWARD_KINDS, type Rewarding, whyNoReward } from './rewarding.model.ts'

const MOST = 2_147_483_647

/** A teacher at a partner school, whose pupils come to us by a channel that is this teacher's alone. */
export const resource = defineResource({
  screen: area.screens['school-teacher'],
  table: 'school_teacher',
  record: z.strictObject({
    id: id(),
    name: personName(50),
    phone: optional(personal('phone', 20)),
    school: text(100),
    grade: optional(dictionary('TEACHER_GRADE')),
    className: optional(text(50)),
    /** No longer employed by a school: whoever is must not be given money, and is taken to be until somebody says otherwise. */
    hasLeft: flag(),
    status: choice({ ACTIVE: 'done', STOPPED: 'idle' }),
    stoppedAt: optional(instant()),
    ownerId: ref('staff'),
    /** Who is added without one is given one. */
    channel: optional(dictionary('CHANNEL')),
    link: optional(text(MOST_LINK)),
    /** The link as a code: rows of dark and light. */
    squares: inDetail(z.array(z.string())),
    leads: number(0, MOST),
    members: number(0, MOST),
    orders: number(0, MOST),
    paidFen: money(),
    countedAt: optional(instant()),
    rewardedFen: money(),
    note: longText(500),
    createdAt: instant(),
    version: version(),
  }),
  title: 'name',
  brief: ['name', 'school', 'className', 'ownerId'],
  list: {
    columns: [
      'name',
      'school',
      'status',
      'leads',
      'members',
      'orders',
      'paidFen',
      'ownerId',
      'hasLeft',
      'phone',
      'className',
      'grade',
      'channel',
      'rewardedFen',
      'countedAt',
      'createdAt',
    ],
    below: { phone: 'name', className: 'school', paidFen: 'orders' },
    filters: ['status', 'ownerId', 'hasLeft', 'grade', 'channel', 'createdAt'],
    sort: ['leads', 'members', 'orders', 'paidFen', 'createdAt'],
    tabs: 'status',
    search: ['name', 'school'],
  },
  create: ['name', 'phone', 'school', 'grade', 'className', 'hasLeft', 'channel', 'link', 'note'],
  edit: ['name', 'phone', 'school', 'grade', 'className', 'hasLeft', 'link', 'note'],
  actions: ['list', 'detail', 'create', 'update', 'export', 'reveal'],
  scope: 'owned',
})
export type SchoolTeacher = RecordOf<typeof resource>

export const reference = defineReference({
  name: 'school-teacher',
  table: 'school_teacher',
  label: { name: 'name', note: { column: 'school', personal: null }, tone: 'status' },
  search: ['name', 'school'],
  scope: 'owned',
})

export const workflow = defineWorkflowWith<Rewarding>()(resource)({
  field: 'status',
  arrivals: ['ACTIVE'],
  steps: {
    resume: { from: ['STOPPED'], to: 'ACTIVE', back: 'undo' },
    noteReward: {
      from: ['ACTIVE'],
      guard: (_teacher, _person, rewarding) => whyNoReward(rewarding),
      input: {
        rewardKind: choice(REWARD_KINDS),
        valueFen: money(1, MAX_FEN),
        what: text(200),
        givenOn: day(),
      },
      alone: true,
      aside: true,
      back: 'undo',
    },
    // Whoever speaks with parents: those who may claim leads.
    assign: { input: { newOwnerId: colleague(area.screens.salvage, 'claim') }, aside: true, back: 'stays' },
    stop: { from: ['ACTIVE'], to: 'STOPPED', reason: true, danger: true, aside: true, back: 'undo' },
  },
})
