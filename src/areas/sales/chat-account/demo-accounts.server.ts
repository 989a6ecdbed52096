import type { NewRow } from '#demo/insert-rows.server.ts'
import { type Colleague, LEFT_DAYS } from '#demo/organisation.server.ts'
import { colleague, DAY_MS, HOUR_MS, remembered, type World } from '#demo/world.server.ts'
import { type ChatAccount, resource } from './model.ts'

const CARDS = 'https://work.weixin.qq.com/ca/'

type Told = {
  readonly accountNo: string
  readonly nickname: string
  readonly kind: ChatAccount['kind']
  readonly org: Colleague
  readonly holder: Colleague | null
}

type Changing<T> = { -readonly [Field in keyof T]: T[Field] }
export type DemoAccount = Changing<NewRow<'chat_account'>>
type HeldAccount = { readonly account: DemoAccount; readonly spans: NewRow<'chat_account_holder'>[] }

/** All of them, with whoever had each and from when to when; made by whichever story asks for them first. */
export const accountsIn = remembered(make)

/** Each consultant has an account of the company; some have one more, and not all of those are well. */
function make(world: World): HeldAccount[] {
  const sellers = world.staff.filter(({ role }) => role === 'SALES')
  const own = sellers.map(one =>
    begin(world, {
      ...{ accountNo: `inkstone-${one.account}`, kind: 'WECOM', org: one, holder: one },
      nickname: `${one.name}老师`,
    }),
  )
  const seconds = sellers
    .filter(({ org, enabled }) => enabled && org.startsWith('SALES_'))
    .filter((_, at) => at % 2 === 0)
    .map((one, nth) => begin(world, { ...{ kind: 'WECHAT', org: one, holder: one }, ...named(nth) }))
  const spare = sellers
    .slice(0, 1)
    .flatMap(org => [40, 41, 42].map(nth => begin(world, { ...{ kind: 'WECHAT', org, holder: null }, ...named(nth) })))
  trouble(world, [...seconds, ...spare])
  return [...own, ...seconds, ...spare]
}

const named = (nth: number) => ({
  accountNo: `yantai_xz${String(nth + 1).padStart(2, '0')}`,
  nickname: `砚台小助手${String(nth + 1).padStart(2, '0')}`,
})

function begin(world: World, { accountNo, nickname, kind, org, holder }: Told): HeldAccount {
  const id = world.ids.next('chat_account')
  const made = world.since.getTime() + 9 * HOUR_MS
  const since = new Date(made + HOUR_MS)
  const until = holder && !holder.enabled ? new Date(world.now.getTime() - LEFT_DAYS * DAY_MS) : null
  const isHeld = holder !== null && until === null
  const account: DemoAccount = {
    ...{ id, account_no: accountNo, nickname, kind, day_quota: kind === 'WECOM' ? 60 : 20 },
    ...{ status: isHeld ? 'IN_USE' : 'IDLE', owner_id: isHeld ? holder.id : null, org_id: org.orgId },
    ...{ owner_since: isHeld ? since : null, used_today: 0, used_on: null, limited_until: null },
    ...{ risk: 'NONE', risk_note: '', risk_since: null, version: isHeld ? 2 : 1, created_at: new Date(made) },
    link: kind === 'WECOM' ? `${CARDS}cawcde${id.toString(16).padStart(10, '0')}` : `https://u.wechat.com/yt${id}`,
  }
  const by = leaderOf(world, org)
  const spans: NewRow<'chat_account_holder'>[] = holder
    ? [
        {
          ...{
            account_id: id,
            staff_id: holder.id,
            org_id: holder.orgId,
            since,
            until,
            got: 'HANDED_OUT',
            by_id: by.id,
          },
          ...{ end_kind: until ? 'LEFT' : null, ended_by_id: until && colleague(world, 'OPERATIONS_MANAGER').id },
        },
      ]
    : []
  world.rows.add('chat_account', [account])
  world.rows.add('chat_account_holder', spans)
  tell(world, by, id, 'create', made, {}, { accountNo, nickname, kind })
  if (!holder) return { account, spans }
  const held = { status: 'IN_USE', ownerId: String(holder.id) }
  tell(world, by, id, 'handOut', since.getTime(), FREE, held)
  if (until) tell(world, null, id, 'reclaim', until.getTime(), held, FREE)
  return { account, spans }
}
const FREE = { status: 'IDLE', ownerId: null }

const leaderOf = (world: World, { org }: Colleague): Colleague =>
  world.staff.find(one => one.org === org && one.role === 'SALES_MANAGER_COPY') ??
  colleague(world, 'SALES_MANAGER_COPY')

function tell(
  world: World,
  actor: Colleague | null,
  recordId: number,
  action: string,
  at: number,
  before: object,
  after: object,
) {
  world.log.write({ at, actor, resource, action, recordId, before, after })
}

/** One is limited until tomorrow, one blocked, one given up; of one a colleague says why to be careful. */
function trouble(world: World, others: readonly HeldAccount[]): void {
  const happen = (nth: number, action: string, ago: number, after: Partial<DemoAccount>, told: object) => {
    const account = others.at(nth)?.account
    if (!account) return
    const at = world.now.getTime() - ago * HOUR_MS
    const before = { status: account.status, risk: account.risk, riskNote: account.risk_note }
    Object.assign(account, after, { risk_since: new Date(at), version: Number(account.version) + 1 })
    const by = world.staff.find(({ orgId, role }) => orgId === account.org_id && role === 'SALES_MANAGER_COPY')
    tell(world, by ?? colleague(world, 'SALES_MANAGER_COPY'), Number(account.id), action, at, before, told)
  }
  const often = { risk: 'WATCH', riskNote: '连续两天加友过快，平台提示操作频繁' } as const
  const until = new Date(world.now.getTime() + 20 * HOUR_MS)
  happen(
    0,
    'limit',
    4,
    { status: 'LIMITED', limited_until: until, risk: often.risk, risk_note: often.riskNote },
    { status: 'LIMITED', limitedUntil: until.toISOString(), ...often },
  )
  const reported = { risk: 'HIGH', riskNote: '被多人举报，平台已封禁，申诉中' } as const
  happen(
    2,
    'block',
    60,
    { status: 'BLOCKED', risk: 'HIGH', risk_note: reported.riskNote },
    { status: 'BLOCKED', ...reported },
  )
  const watched = { risk: 'WATCH', riskNote: '换过手机登录，先少量加友' } as const
  happen(3, 'judgeRisk', 30, { risk: 'WATCH', risk_note: watched.riskNote }, watched)
  const gone = others.at(-1)?.account
  if (!gone) return
  Object.assign(gone, { status: 'RETIRED', version: 2 })
  const at = world.now.getTime() - 90 * DAY_MS
  tell(
    world,
    colleague(world, 'SALES_MANAGER_COPY'),
    Number(gone.id),
    'retire',
    at,
    { status: 'IDLE' },
    { status: 'RETIRED' },
  )
}
