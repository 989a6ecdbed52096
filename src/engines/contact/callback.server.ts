import { createHash } from 'node:crypto'
import * as z from 'zod'
import { openSigned, type SealKeys, type SealQuery, sealQuery } from '#engines/platform/sealed.server.ts'
import { fromSeconds, readAs, requireFresh, unreadable } from '#engines/platform/told.server.ts'
import { readXml } from '#engines/platform/xml.server.ts'
import { defineDoor, type Listening, type ToldEvent } from '#kit/server/live/door.ts'
import { NOT_SAID, REASONS, STATE_FORM } from './model.ts'

/** What is told to an app of the company's own names the app; of customers, none. */
type CallbackKeys = SealKeys & { readonly agentId: string | undefined }

const envelope = z.object({ ToUserName: z.string(), AgentID: z.string().default(''), Encrypt: z.string() })
const name = z.string().min(1).max(64)
const told = z.object({
  CreateTime: z.string().regex(/^\d{9,11}$/),
  MsgType: z.string(),
  Event: z.string().optional(),
  ChangeType: z.string().optional(),
})
const pair = z.object({ UserID: name, ExternalUserID: name })
const added = pair.extend({ State: z.string().default('') })
const removed = pair.extend({ Source: z.string().default('') })
const failed = pair.extend({ FailReason: z.string().default('') })

/** WeCom's callbacks: sealed XML in an envelope of XML, under the token of whoever it is told to, and of this moment. */
const wecomDoor = (keys: CallbackKeys): Listening<SealQuery> => ({
  hear({ query, bytes, now }) {
    const { ToUserName: to, AgentID: agentId, Encrypt: sealed } = readAs(envelope, readXml(bytes.toString('utf8')))
    const said = openSigned(keys, query, sealed)
    requireFresh(Number(query.timestamp) * 1_000, now)
    // The envelope is not signed: what it says must be what we know.
    if (to !== keys.receiver || (keys.agentId !== undefined && agentId !== keys.agentId)) throw unreadable()
    return { events: eventsOf(keys.receiver, readXml(said)), answer: 'success' }
  },
  greet({ query, now }) {
    const said = openSigned(keys, query, query.echostr ?? '')
    requireFresh(Number(query.timestamp) * 1_000, now)
    return said
  },
})

/** What is told of colleagues' customers, in our events; everything else a company is told is no concern of ours. */
function eventsOf(corpId: string, said: unknown): ToldEvent[] {
  const { CreateTime, MsgType, Event, ChangeType: change } = readAs(told, said)
  if (MsgType !== 'event' || Event !== 'change_external_contact' || change === undefined) return []
  const happened = Object.hasOwn(TELLING, change) ? TELLING[change]?.(said) : undefined
  if (!happened) return []
  const { UserID: userId, ExternalUserID: externalId } = readAs(pair, said)
  // Messages have no id of their own, and come by each door: what happened when between whom is one.
  const id = createHash('sha256')
    .update(JSON.stringify([corpId, CreateTime, change, userId, externalId]))
    .digest('hex')
  const who = { userId, externalId, at: fromSeconds(Number(CreateTime)) }
  return [{ id, type: happened.type, data: { ...who, ...happened.data } }]
}

/** Nothing where it is no concern of ours, or in words nobody knows. */
type Telling = (said: unknown) => Pick<ToldEvent, 'type' | 'data'> | undefined

/** The colleague lost the customer because a colleague took over: nobody took anybody off. */
const BY_TRANSFER = 'DELETE_BY_TRANSFER'

const TELLING: Readonly<Record<string, Telling>> = {
  add_external_contact(said) {
    const { State: state } = readAs(added, said)
    return { type: 'contact.added', data: { addWay: NOT_SAID, channel: STATE_FORM.test(state) ? state : null } }
  },
  edit_external_contact: () => ({ type: 'contact.edited', data: {} }),
  del_external_contact(said) {
    const isTaken = readAs(removed, said).Source === BY_TRANSFER
    return isTaken ? { type: 'contact.taken-over', data: {} } : { type: 'contact.lost', data: { by: 'STAFF' } }
  },
  del_follow_user: () => ({ type: 'contact.lost', data: { by: 'CUSTOMER' } }),
  transfer_fail(said) {
    const { FailReason: reason } = readAs(failed, said)
    // Of any other one, what became of the transfer is asked for anyway.
    return Object.hasOwn(REASONS, reason) ? { type: 'contact.transfer-failed', data: { reason } } : undefined
  },
}

const shared = { source: 'wecom', texts: 'engines/platform', query: sealQuery, greets: true } as const

/** Each open once its own keys are set; what both of them tell has one effect. */
export const doors = [
  defineDoor({
    ...shared,
    path: '/open/v1/wecom/contacts',
    summary: 'Takes what WeCom tells of colleagues’ customers, sealed.',
    open({ env: { WECOM_CORP_ID: receiver, WECOM_CONTACT_TOKEN: token, WECOM_CONTACT_AES_KEY: aesKey } }) {
      return receiver && token && aesKey ? wecomDoor({ receiver, token, aesKey, agentId: undefined }) : undefined
    },
  }),
  defineDoor({
    ...shared,
    path: '/open/v1/wecom/app',
    summary: 'Takes what WeCom tells an app of the company’s own, sealed.',
    open({ env }) {
      const { WECOM_CORP_ID: receiver, WECOM_APP_AGENT_ID: agentId, WECOM_APP_TOKEN: token } = env
      const aesKey = env.WECOM_APP_AES_KEY
      return receiver && agentId && token && aesKey ? wecomDoor({ receiver, token, aesKey, agentId }) : undefined
    },
  }),
]
