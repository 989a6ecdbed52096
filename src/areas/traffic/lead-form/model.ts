import * as z from 'zod'
import {
  choice,
  code,
  colleague,
  dictionary,
  flag,
  id,
  inDetail,
  instant,
  lines,
  optional,
  personal,
  personName,
  reference as ref,
  text,
  version,
} from '#kit/model/field.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'
import { defineResource, type RecordOf } from '#kit/model/resource.ts'
import { defineWorkflowWith } from '#kit/model/workflow.ts'
import { area } from '../area.ts'

export const answerLine = z.strictObject({ question: z.string().max(200), answer: z.string().max(500) })
export const MAX_ANSWERS = 30
/** What the platform calls what somebody saw or sent. */
export const platformNo = () => code(64).regex(/^[0-9A-Za-z_:-]+$/)

/** Besides the steps: who may be given what comes by forms. */
export const actions = ['own']

/** Somebody left a number on the lifestyle platform, in a form or in a message to one of our accounts. */
export const resource = defineResource({
  screen: area.screens['lead-form'],
  table: 'lead_form',
  record: z.strictObject({
    id: id(),
    formNo: platformNo(),
    kind: choice({ FORM: 'special', MESSAGE: 'busy' }),
    phone: optional(personal('phone', 20)),
    name: optional(personName(50)),
    city: optional(text(50)),
    account: optional(dictionary('XHS_ACCOUNT')),
    noteId: optional(ref('note')),
    campaign: optional(platformNo()),
    unit: optional(platformNo()),
    creativity: optional(platformNo()),
    page: optional(text(200)),
    answers: lines(answerLine, MAX_ANSWERS),
    isNew: flag(),
    /** The one it made or found. */
    leadId: optional(inDetail(id())),
    ownerId: optional(ref('staff')),
    /** Of the lead it made or found; a number that is no lead of ours to follow is only known. */
    followStatus: choice({
      KNOWN: 'idle',
      UNASSIGNED: 'attention',
      RETURNED: 'attention',
      ASSIGNED: 'attention',
      CONTACTED: 'busy',
      ADDED: 'busy',
      TRIAL: 'busy',
      INTENT: 'busy',
      DEAL: 'done',
      LOST: 'failed',
      INVALID: 'idle',
    }),
    callBack: choice({ NONE: 'idle', WAITING: 'busy', SENT: 'done', FAILED: 'failed', UNKNOWN: 'attention' }),
    calledBackAt: optional(instant()),
    callBackError: optional(text(200)),
    submittedAt: instant(),
    createdAt: instant(),
    version: version(),
  }),
  title: 'formNo',
  brief: ['formNo', 'phone', 'name', 'submittedAt'],
  list: {
    columns: [
      'phone',
      'submittedAt',
      'followStatus',
      'callBack',
      'ownerId',
      'noteId',
      'campaign',
      'name',
      'city',
      'kind',
      'account',
      'isNew',
      'unit',
      'page',
      'formNo',
      'calledBackAt',
    ],
    below: { name: 'phone', unit: 'campaign', formNo: 'submittedAt' },
    filters: ['submittedAt', 'ownerId', 'callBack', 'followStatus', 'kind', 'account', 'noteId', 'campaign', 'isNew'],
    sort: ['submittedAt'],
    usual: 'submittedAt:desc',
    tabs: 'followStatus',
    search: ['formNo', 'name'],
  },
  actions: ['list', 'detail', 'export', 'reveal'],
  scope: 'owned',
})
export type LeadForm = RecordOf<typeof resource>

export type Now = { readonly nowMs: number }

/** The platform takes it that long. */
const CALL_BACK_DAYS = 7
const DAY_MS = 86_400_000
const SPOKEN: readonly string[] = ['CONTACTED', 'ADDED', 'TRIAL', 'INTENT', 'DEAL']
const ENDED: readonly string[] = ['KNOWN', 'DEAL', 'LOST', 'INVALID']

/** Why the platform may not be told that this number is a good one. */
export function whyNotCallBack(
  { kind, followStatus, submittedAt }: Pick<LeadForm, 'kind' | 'followStatus' | 'submittedAt'>,
  _person: unknown,
  { nowMs }: Now,
): Refusal | undefined {
  if (kind !== 'FORM') return refuse('no-form')
  if (!SPOKEN.includes(followStatus)) return refuse('not-contacted')
  if (nowMs > Date.parse(submittedAt) + CALL_BACK_DAYS * DAY_MS) return refuse('too-late', { days: CALL_BACK_DAYS })
}

const whyNotAssign = ({ followStatus }: LeadForm): Refusal | undefined =>
  ENDED.includes(followStatus) ? refuse('nothing-to-assign') : undefined

export const workflow = defineWorkflowWith<Now>()(resource)({
  field: 'callBack',
  arrivals: ['NONE', 'SENT', 'FAILED', 'UNKNOWN'],
  outside: ['WAITING'],
  steps: {
    callBack: { from: ['NONE', 'FAILED'], to: 'WAITING', guard: whyNotCallBack, back: 'stays' },
    // Whether it arrived is known to the platform alone: somebody looks there, and says so.
    confirmSent: { from: ['UNKNOWN'], to: 'SENT', back: 'undo' },
    // After them: what is spoken with already is to be reported first.
    assign: {
      from: 'any',
      guard: whyNotAssign,
      input: { newOwnerId: colleague(area.screens['lead-form'], 'own') },
      shows: ['ownerId', 'followStatus'],
      back: 'stays',
    },
    callBackAgain: { from: ['UNKNOWN'], to: 'WAITING', guard: whyNotCallBack, aside: true, back: 'stays' },
  },
})
