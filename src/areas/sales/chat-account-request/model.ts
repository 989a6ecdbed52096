import * as z from 'zod'
import { resource as account, KINDS } from '#areas/sales/chat-account/model.ts'
import { numbersEnding } from '#engines/sequence/model.ts'
import { choice, code, instant, optional, reference as ref } from '#kit/model/field.ts'
import { onlyBy } from '#kit/model/four-eyes.ts'
import { refuse } from '#kit/model/refusal.ts'
import { defineRequests, REQUEST_WORKFLOW, requestFields } from '#kit/model/request.ts'
import { defineResource, type RecordOf } from '#kit/model/resource.ts'
import { defineSettings } from '#kit/model/setting.ts'
import { defineWorkflow, WRONG_STATE } from '#kit/model/workflow.ts'
import { area } from '../area.ts'

/** What consultants ask for of chat accounts: one to work with, that theirs goes to a colleague, or back. */
export const resource = defineResource({
  screen: area.screens['chat-account-request'],
  table: 'chat_account_request',
  record: z.strictObject({
    ...requestFields({ OPEN: 'idle', TRANSFER: 'idle', RECOVER: 'idle' }),
    requestNo: code(14),
    accountKind: optional(choice(KINDS)),
    chatAccountId: optional(ref('chat-account')),
    /** Who had it when it was asked for. */
    holderId: optional(ref('staff')),
    toId: optional(ref('staff')),
    doneAt: optional(instant()),
    returnedAt: optional(instant()),
  }),
  title: 'requestNo',
  brief: ['requestNo', 'kind', 'accountKind', 'chatAccountId', 'holderId', 'toId'],
  evidence: ['reason'],
  list: {
    columns: [
      'requestNo',
      'status',
      'kind',
      'applicantId',
      'accountKind',
      'chatAccountId',
      'holderId',
      'toId',
      'reason',
      'createdAt',
      'doneAt',
      'returnedAt',
      'expiresAt',
    ],
    below: { createdAt: 'requestNo', toId: 'holderId', returnedAt: 'doneAt' },
    filters: ['status', 'kind', 'applicantId', 'chatAccountId', 'createdAt'],
    sort: ['createdAt'],
    tabs: 'status',
    search: ['requestNo'],
    ending: numbersEnding('X'),
  },
  create: ['kind', 'accountKind', 'chatAccountId', 'toId', 'reason'],
  actions: ['list', 'detail', 'create', 'export'],
  scope: 'owned',
  carer: 'applicantId',
  asked: { by: 'applicantId', state: 'status' },
  clock: { since: 'stateSince', hours: { SUBMITTED: 24, L1_APPROVED: 24 } },
})
export type AccountRequest = RecordOf<typeof resource>

type Standing = Pick<AccountRequest, 'applicantId' | 'kind' | 'status' | 'chatAccountId' | 'doneAt' | 'returnedAt'>

const asItStands = ({ status }: Standing) => refuse(WRONG_STATE, { state: `status.${status}` })
const onlyTheApplicant = onlyBy('applicantId', 'kit:not-your-request')

export const workflow = defineWorkflow(resource)({
  ...REQUEST_WORKFLOW,
  steps: {
    ...REQUEST_WORKFLOW.steps,
    // Where none was free with the yes.
    handOut: {
      from: ['APPROVED'],
      input: { chatAccountId: ref('chat-account') },
      alone: true,
      awaits: true,
      only: { kind: ['OPEN'] },
      back: 'stays',
      guard: (row: Standing) => (row.kind === 'OPEN' && row.doneAt === null ? undefined : asItStands(row)),
    },
    giveBack: {
      from: ['APPROVED'],
      alone: true,
      aside: true,
      back: 'stays',
      guard: (row: Standing, actor: { readonly id: string }) =>
        row.kind === 'OPEN' && row.doneAt !== null && row.returnedAt === null
          ? onlyTheApplicant(row, actor)
          : asItStands(row),
    },
  },
})

/** One person agrees, whatever is asked for. */
const NO_BOUNDS = defineSettings({ group: 'chat-account-request', keys: {} })
const asked = { by: { page: account.screen.key, action: 'list' }, levels: () => 1 as const, days: 7 } as const

export const requests = defineRequests(resource, {
  always: ['reason'],
  settings: NO_BOUNDS,
  kinds: {
    OPEN: { ...asked, asks: () => ['accountKind'] },
    TRANSFER: { ...asked, asks: () => ['chatAccountId', 'toId'] },
    RECOVER: { ...asked, asks: () => ['chatAccountId'] },
  },
})
