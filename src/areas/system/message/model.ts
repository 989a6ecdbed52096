import * as z from 'zod'
import { CAUSES } from '#engines/message/cause.model.ts'
import {
  choice,
  code,
  flag,
  id,
  inDetail,
  instant,
  longText,
  number,
  optional,
  personal,
  reference as ref,
  text,
  version,
} from '#kit/model/field.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'
import { defineResource, type RecordOf } from '#kit/model/resource.ts'
import { formatInstant } from '#kit/model/time.ts'
import { defineWorkflow } from '#kit/model/workflow.ts'
import { area } from '../area.ts'

/** One message to one person, and what became of it. */
export const resource = defineResource({
  screen: area.screens.message,
  table: 'message',
  record: z.strictObject({
    id: id(),
    title: text(100),
    templateId: optional(ref('message-template')),
    channel: choice({ WEB: 'busy', SMS: 'done', EMAIL: 'special' }),
    kind: choice({ CODE: 'attention', NOTICE: 'busy', MARKETING: 'special' }),
    status: choice({
      SCHEDULED: 'idle',
      SENDING: 'busy',
      UNKNOWN: 'attention',
      FAILED: 'failed',
      WITHHELD: 'idle',
      DELIVERED: 'done',
      UNREAD: 'attention',
      READ: 'done',
    }),
    cause: optional(choice(CAUSES)),
    why: inDetail(z.string()),
    memberId: optional(ref('member')),
    staffId: optional(ref('staff')),
    partnerId: optional(ref('app-channel')),
    phone: optional(personal('phone', 20)),
    email: optional(personal('email', 100)),
    /** Of a code nothing is kept; what it is recognised by is the digest. */
    body: longText(2_000),
    digest: code(64),
    about: code(100),
    isTest: flag(),
    attempt: number(1, 1_000),
    result: longText(200),
    scheduledAt: optional(instant()),
    sentAt: optional(instant()),
    endedAt: optional(instant()),
    stateSince: instant(),
    createdAt: instant(),
    version: version(),
  }),
  title: 'title',
  brief: ['title', 'memberId', 'staffId', 'channel', 'createdAt'],
  evidence: ['why', 'body'],
  list: {
    columns: ['title', 'channel', 'status', 'cause', 'memberId', 'createdAt', 'staffId', 'sentAt'],
    below: { sentAt: 'createdAt' },
    filters: ['status', 'channel', 'createdAt', 'kind', 'cause', 'templateId', 'memberId', 'staffId'],
    sort: ['createdAt'],
    tabs: 'status',
    search: ['title', 'memberId', 'staffId'],
  },
  actions: ['list', 'detail', 'export', 'reveal'],
  scope: 'shared',
  clock: { since: 'stateSince', hours: { UNKNOWN: 24 } },
  internal: ['digest'],
})
export type Message = RecordOf<typeof resource>

export const workflow = defineWorkflow(resource)({
  field: 'status',
  arrivals: ['SCHEDULED', 'SENDING', 'UNKNOWN', 'FAILED', 'WITHHELD', 'DELIVERED', 'UNREAD', 'READ'],
  outside: ['SENDING', 'UNKNOWN'],
  steps: {
    retry: { from: ['FAILED'], to: 'SENDING', guard: notACode, shows: ['cause', 'result'], back: 'stays' },
    /** What nobody knows is asked, and never sent again. */
    ask: { from: ['SENDING', 'UNKNOWN'], guard: canBeAsked, back: 'idle' },
  },
})

/** A code somebody waits for is asked for anew; the old one is not kept. */
function notACode({ kind }: Message): Refusal | undefined {
  if (kind === 'CODE') return refuse('code-not-again')
}

function canBeAsked({ channel, sentAt }: Message): Refusal | undefined {
  if (channel !== 'SMS') return refuse('mail-tells-nothing')
  if (sentAt === null) return refuse('not-handed-over')
}

const minute = (at: string | null): string => (at === null ? '' : formatInstant(new Date(at)).slice(0, 16))

/** Why the receiver may not have it, in a sentence, from what is known; the texts are the slice's `why.…`. */
export function whyNotReceived(row: Omit<Message, 'why'>): Refusal {
  const { status, cause, channel, kind } = row
  const at = minute(row.sentAt)
  const since = minute(row.stateSince)
  switch (status) {
    case 'SCHEDULED':
      return refuse('why.SCHEDULED', { until: minute(row.scheduledAt) })
    case 'SENDING':
      return at ? refuse('why.report', { at }) : refuse('why.SENDING')
    case 'UNKNOWN':
      return refuse(channel === 'EMAIL' ? 'why.UNKNOWN.mail' : 'why.UNKNOWN', { since })
    case 'DELIVERED':
      return refuse(channel === 'EMAIL' ? 'why.DELIVERED.mail' : 'why.DELIVERED', { at: minute(row.endedAt) })
    case 'UNREAD':
      return refuse('why.UNREAD', { at: since })
    case 'READ':
      return refuse('why.READ', { at: since })
    default:
      // Whoever waits for a code is not helped by sending the old one later.
      return (kind === 'CODE' && status === 'FAILED') || cause === 'TOO_LATE'
        ? refuse('why.code', { cause: `cause.${cause ?? 'REJECTED'}` })
        : refuse(`why.${cause ?? 'REJECTED'}`, { said: row.result || '–' })
  }
}
