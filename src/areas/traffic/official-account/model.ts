import * as z from 'zod'
import {
  choice,
  code,
  dictionary,
  id,
  instant,
  lines,
  longText,
  number,
  optional,
  reference as ref,
  text,
  version,
} from '#kit/model/field.ts'
import { type Refusal, refuse } from '#kit/model/refusal.ts'
import { defineReference, defineResource, type RecordOf } from '#kit/model/resource.ts'
import { defineWorkflow, WRONG_STATE } from '#kit/model/workflow.ts'
import { area } from '../area.ts'
import { isSameMenu, MAX_LINES, menuFault, menuLine } from './menu.model.ts'
import { MAX_REPLIES, replyLine } from './replies.model.ts'

const MOST = 2_147_483_647
/** As the platform names an account. */
export const appId = () => code(64).regex(/^[0-9A-Za-z_-]{6,64}$/)
/** A code that is not for good works that long at most. */
const MAX_DAYS = 30

/** An account of ours that people follow on WeChat. */
export const resource = defineResource({
  screen: area.screens['official-account'],
  table: 'official_account',
  record: z.strictObject({
    id: id(),
    name: text(50),
    appId: appId(),
    kind: choice({ SERVICE: 'busy', SUBSCRIPTION: 'special' }),
    status: choice({ ACTIVE: 'done', STOPPED: 'idle' }),
    keeperId: optional(ref('staff')),
    channel: dictionary('CHANNEL'),
    welcome: longText(600),
    replies: lines(replyLine, MAX_REPLIES),
    /** What is being worked on; the platform shows the other one. */
    draft: lines(menuLine, MAX_LINES),
    menu: lines(menuLine, MAX_LINES),
    menuState: choice({ NONE: 'idle', WAITING: 'busy', PUBLISHED: 'done', FAILED: 'failed', UNKNOWN: 'attention' }),
    menuPublishedAt: optional(instant()),
    menuError: optional(text(200)),
    followers: number(0, MOST),
    gone: number(0, MOST),
    leads: number(0, MOST),
    countedAt: optional(instant()),
    createdAt: instant(),
    version: version(),
  }),
  title: 'name',
  brief: ['name', 'appId', 'kind'],
  list: {
    columns: [
      'name',
      'kind',
      'status',
      'followers',
      'gone',
      'leads',
      'menuState',
      'keeperId',
      'appId',
      'channel',
      'menuPublishedAt',
      'countedAt',
      'createdAt',
    ],
    below: { appId: 'name', menuPublishedAt: 'menuState' },
    filters: ['kind', 'keeperId', 'menuState', 'status', 'createdAt'],
    sort: ['followers', 'leads', 'createdAt'],
    tabs: 'status',
    search: ['name', 'appId'],
  },
  create: ['name', 'appId', 'kind', 'channel', 'keeperId', 'welcome', 'replies', 'draft'],
  edit: ['name', 'kind', 'channel', 'keeperId', 'welcome', 'replies', 'draft'],
  actions: ['list', 'detail', 'create', 'update', 'export'],
  scope: 'shared',
})
export type OfficialAccount = RecordOf<typeof resource>

/** The codes people follow an account by. */
export const reference = defineReference({
  name: 'account-scene',
  table: 'account_scene',
  label: { name: 'name', note: { column: 'state_code', personal: null }, tone: 'status' },
  offered: { column: 'status', values: ['WAITING', 'OPEN', 'FAILED'] },
  search: ['name'],
  scope: 'shared',
})

/** Why the platform need not, or must not, be given this menu. */
export function whyNotPublish({
  status,
  draft,
  menu,
  menuState,
}: Pick<OfficialAccount, 'status' | 'draft' | 'menu' | 'menuState'>): Refusal | undefined {
  if (status === 'STOPPED') return refuse('is-stopped')
  if (draft.length === 0) return refuse('menu-empty')
  if (menuState === 'PUBLISHED' && isSameMenu(draft, menu)) return refuse('menu-same')
  const fault = menuFault(draft)
  if (fault) return refuse('menu-faulty', { number: fault.at + 1 })
}

const whileActive = ({ status }: Pick<OfficialAccount, 'status'>): Refusal | undefined =>
  status === 'ACTIVE' ? undefined : refuse(WRONG_STATE, { state: `status.${status}` })
const whileStopped = ({ status }: Pick<OfficialAccount, 'status'>): Refusal | undefined =>
  status === 'STOPPED' ? undefined : refuse(WRONG_STATE, { state: `status.${status}` })

export const workflow = defineWorkflow(resource)({
  field: 'menuState',
  arrivals: ['NONE', 'PUBLISHED', 'FAILED', 'UNKNOWN'],
  outside: ['WAITING'],
  steps: {
    publishMenu: { from: ['NONE', 'PUBLISHED', 'FAILED'], to: 'WAITING', guard: whyNotPublish, back: 'stays' },
    // Whether it arrived is known to the platform alone: somebody looks there, and says so.
    confirmMenu: { from: ['UNKNOWN'], to: 'PUBLISHED', back: 'stays' },
    publishMenuAgain: { from: ['UNKNOWN'], to: 'WAITING', guard: whyNotPublish, aside: true, back: 'stays' },
    addScene: {
      guard: whileActive,
      input: {
        sceneName: text(50),
        sceneChannel: dictionary('CHANNEL'),
        sceneKeeperId: optional(ref('staff')),
        sceneDays: optional(number(1, MAX_DAYS)),
      },
      alone: true,
      back: 'stays',
    },
    closeScene: { input: { sceneId: ref('account-scene') }, alone: true, aside: true, back: 'stays' },
    resume: { guard: whileStopped, aside: true, back: 'undo' },
    stop: { guard: whileActive, reason: true, danger: true, aside: true, back: 'undo' },
  },
})
