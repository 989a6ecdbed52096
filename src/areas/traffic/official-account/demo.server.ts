import { sql } from 'kysely'
import { PHONES, phoneAt, type Random } from '#demo/builders.server.ts'
import type { NewRow } from '#demo/insert-rows.server.ts'
import { READ } from '#demo/roles.server.ts'
import type { Outside, SimulatedEvent } from '#demo/scene.server.ts'
import type { Story } from '#demo/story.server.ts'
import { byTime, chanceOf, DAY_MS, HOUR_MS, MINUTE_MS, named, type World } from '#demo/world.server.ts'
import { addLead, leadsIn, touchLead } from '#engines/lead/demo-leads.server.ts'
import { touchOf } from './arriving.server.ts'
import { countAccounts } from './counting.server.ts'
import { type EventKind, type FollowEvent, foldFollowing } from './following.model.ts'
import type { MenuLine } from './menu.model.ts'
import { resource } from './model.ts'
import type { ReplyLine } from './replies.model.ts'

const chance = chanceOf('traffic/official-account')
/** Behind the numbers of school teachers. */
const FIRST = PHONES.lead + 70_000
const FOLLOWERS = 420

const PAGES = 'https://h5.inkstone.example/'
const MENU: readonly MenuLine[] = [
  { level: 'TOP', name: '学习', action: 'OPEN', value: '' },
  { level: 'SUB', name: '每日打卡', action: 'VIEW', value: `${PAGES}check-in` },
  { level: 'SUB', name: '作品点评', action: 'VIEW', value: `${PAGES}works` },
  { level: 'SUB', name: '课程表', action: 'VIEW', value: `${PAGES}lessons` },
  { level: 'TOP', name: '体验课', action: 'VIEW', value: `${PAGES}join?channel=GZ_MENU` },
  { level: 'TOP', name: '找我们', action: 'OPEN', value: '' },
  { level: 'SUB', name: '课程顾问', action: 'CLICK', value: '顾问' },
  { level: 'SUB', name: '常见问题', action: 'VIEW', value: `${PAGES}questions` },
]
const REPLIES: readonly ReplyLine[] = [
  { keyword: '顾问', match: 'CONTAINS', priority: 9, reply: '请留下手机号，课程顾问会在工作时间内联系您。' },
  { keyword: '价格', match: 'CONTAINS', priority: 5, reply: '硬笔体验课 9 元 3 节，点菜单“体验课”报名。' },
  { keyword: '体验课', match: 'CONTAINS', priority: 3, reply: `报名链接：${PAGES}join?channel=GZ_MENU` },
  { keyword: '打卡', match: 'EXACT', priority: 0, reply: '每天 20:30 前上传作品即为打卡成功。' },
]
const WELCOME = '欢迎关注砚台书写！回复“体验课”领取 3 节硬笔体验课。'

/** Name, channel, days ago it was made, for how many days, and how many people it brings beside others. */
const SCENES = [
  ['学校门口展架', 'SCHOOL', 520, null, 6],
  ['春季书法展', 'SPRING_FAIR', 260, 30, 5],
  ['体验课海报', 'REFERRAL', 400, null, 8],
  ['包裹内卡片', 'OTHER', 610, null, 9],
  ['暑期营宣传单', 'SUMMER_CAMP', 170, 30, 4],
  ['直播间贴片', 'DOUYIN_LIVE', 20, 30, 3],
] as const

type Scene = {
  readonly id: number
  readonly channel: string
  readonly from: number
  readonly until: number
  readonly weight: number
}

function end(world: World): void {
  const random = chance(world)
  const keeper = named(world.staff, ({ role, enabled }) => role === 'OPERATIONS' && enabled, 'operations')
  const now = world.now.getTime()
  const [main, second] = [world.ids.next('official_account'), world.ids.next('official_account')]
  const from = world.since.getTime() + 5 * DAY_MS
  const published = new Date(now - 40 * DAY_MS)
  const blank = { status: 'ACTIVE', keeper_id: keeper.id, menu_error: null } as const
  world.rows.add('official_account', [
    {
      ...blank,
      ...{
        id: main,
        name: '砚台书写',
        app_id: 'wx7f3c0a9e5b2d4816',
        kind: 'SERVICE',
        channel: 'GZ_MENU',
        welcome: WELCOME,
      },
      ...{ replies: [...REPLIES], draft: [...MENU], menu: [...MENU], menu_sent: [...MENU], menu_state: 'PUBLISHED' },
      ...{ menu_published_at: published, created_at: new Date(from), version: 3 },
    },
    {
      ...blank,
      ...{
        id: second,
        name: '砚台家长课堂',
        app_id: 'wx2b91d6c4e07a53f8',
        kind: 'SUBSCRIPTION',
        channel: 'OTHER',
        welcome: '',
      },
      ...{ replies: [], draft: [...MENU.slice(4, 5)], menu: [], menu_sent: [], menu_state: 'NONE' },
      ...{ menu_published_at: null, created_at: new Date(now - 90 * DAY_MS), version: 1 },
    },
  ])
  const log = { resource, recordId: main, actor: keeper } as const
  world.log.write({ ...log, at: from, action: 'create', after: { name: '砚台书写', kind: 'SERVICE' } })
  const [none, waiting] = [{ menuState: 'NONE' }, { menuState: 'WAITING' }]
  const at = published.getTime()
  world.log.write({ ...log, at: at - MINUTE_MS, action: 'publishMenu', before: none, after: waiting })
  const done = { ...log, actor: null, at, action: 'menuPublished' } as const
  world.log.write({ ...done, before: waiting, after: { menuState: 'PUBLISHED' } })
  world.log.write({
    ...{ ...log, recordId: second, at: now - 90 * DAY_MS, action: 'create' },
    after: { name: '砚台家长课堂', kind: 'SUBSCRIPTION' },
  })
  const scenes = scenesOf(world, main, keeper.id)
  followBefore(world, random, main, scenes)
  follow(world, random, main, scenes)
}

function scenesOf(world: World, accountId: number, keeperId: string): Scene[] {
  const now = world.now.getTime()
  return SCENES.map(([name, channel, ago, days, weight]) => {
    const id = world.ids.next('account_scene')
    const from = now - ago * DAY_MS
    const until = days === null ? null : from + days * DAY_MS
    world.rows.add('account_scene', [
      {
        ...{ id, account_id: accountId, name, channel, keeper_id: keeperId, created_at: new Date(from) },
        status: until !== null && until < now ? 'EXPIRED' : 'OPEN',
        valid_until: until === null ? null : new Date(until),
        link: `https://weixin.qq.com/q/02${(id * 7_919).toString(36)}inkstone`,
      },
    ])
    return { id, channel, from, until: Math.min(until ?? now, now), weight }
  })
}

/** People followed over the two years, most by a code; some left, a few came back, and of late some left their numbers. */
function follow(world: World, random: Random, accountId: number, scenes: readonly Scene[]): void {
  const now = world.now.getTime()
  const count = Math.max(20, Math.round(FOLLOWERS * world.scale))
  const begun = Array.from({ length: count }, () => now - Math.round(random.fraction() * 600 * DAY_MS) - HOUR_MS)
  const sellers = world.staff.filter(
    ({ role, org, enabled }) => role === 'SALES' && org.startsWith('SALES_') && enabled,
  )
  for (const [nth, at] of begun.toSorted((a, b) => a - b).entries()) {
    const scene = sceneAt(random, scenes, at)
    const events = [...eventsOf(world, random, at, scene), ...meanwhile(random, at, scenes)]
    const openid = openidOf(nth)
    const isLead = now - at < 60 * DAY_MS && random.chance(0.5)
    const leadAt = at + 20 * MINUTE_MS
    const came = { ...CAME, key: touchOf(String(accountId), openid), channel: scene?.channel ?? OWN_CHANNEL }
    const phone = phoneAt(FIRST + nth)
    const leadId = isLead
      ? addLead(world, { ...came, phone, name: null, at: leadAt, owner: random.pick(sellers), status: 'OPEN' })
      : null
    add(world, { accountId, openid, leadId }, isLead ? [...events, told('NUMBER', leadAt)] : events)
  }
}

/** Some who were about to register had followed the account before, and left the number there too. */
function followBefore(world: World, random: Random, accountId: number, scenes: readonly Scene[]): void {
  for (const { lead } of leadsIn(world)) {
    const [since, until] = [Number(lead.created_at), Number(lead.registered_at ?? 0)]
    const leftAt = since + 5 * MINUTE_MS
    if (lead.source === 'OFFICIAL_ACCOUNT' || leftAt >= until - MINUTE_MS || !random.chance(0.3)) continue
    const scene = sceneAt(random, scenes, leftAt - MINUTE_MS)
    if (!scene && leftAt < world.now.getTime() - OWN_DAYS * DAY_MS) continue
    const openid = openidOf(500_000 + Number(lead.id))
    const { cameBy: came_by, source, consent } = CAME
    const channel = scene?.channel ?? OWN_CHANNEL
    touchLead(world, lead, leftAt, { key: touchOf(String(accountId), openid), came_by, source, consent, channel })
    const events = [...eventsOf(world, random, leftAt - MINUTE_MS, scene).slice(0, 1), told('NUMBER', leftAt)]
    add(world, { accountId, openid, leadId: Number(lead.id) }, events)
  }
}

const OWN_CHANNEL = 'GZ_MENU'
/** For so long there has been that channel. */
const OWN_DAYS = 430
const CAME = { source: 'OFFICIAL_ACCOUNT', consent: 'FORM', cameBy: 'FORM' } as const
const openidOf = (nth: number): string => `oInk${(1_000_000 + nth * 7_919).toString(36)}${String(nth).padStart(6, '0')}`

/** One of the codes that were out then; some came without any. */
function sceneAt(random: Random, scenes: readonly Scene[], at: number): Scene | null {
  const then = scenes.filter(({ from, until }) => from < at && at < until)
  return then.length > 0 && random.chance(0.75) ? random.weighted(then.map(one => [one, one.weight] as const)) : null
}

const told = (
  kind: EventKind,
  atMs: number,
  sceneId: number | null = null,
  cameBy: string | null = null,
): FollowEvent => ({
  kind,
  atMs,
  sceneId: sceneId === null ? null : String(sceneId),
  cameBy,
})

function eventsOf(world: World, random: Random, at: number, scene: Scene | null): FollowEvent[] {
  const cameBy = scene
    ? 'ADD_SCENE_QR_CODE'
    : random.pick(['ADD_SCENE_SEARCH', 'ADD_SCENE_PROFILE_CARD', 'ADD_SCENE_PAID'])
  const first = told('SUBSCRIBE', at, scene?.id ?? null, cameBy)
  const left = at + Math.round(random.fraction() * 200 * DAY_MS) + HOUR_MS
  if (!random.chance(0.22) || left > world.now.getTime()) return [first]
  const back = left + 10 * DAY_MS
  const isBack = random.chance(0.15) && back < world.now.getTime()
  return [first, told('UNSUBSCRIBE', left), ...(isBack ? [told('SUBSCRIBE', back, null, 'ADD_SCENE_SEARCH')] : [])]
}

/** Within the hour some write a word, and some scan a code they find elsewhere. */
function meanwhile(random: Random, at: number, scenes: readonly Scene[]): FollowEvent[] {
  const found = random.chance(0.2) ? sceneAt(random, scenes, at + 10 * MINUTE_MS) : null
  return [
    ...(random.chance(0.3) ? [told('MESSAGE', at + 5 * MINUTE_MS)] : []),
    ...(found ? [told('SCAN', at + 10 * MINUTE_MS, found.id)] : []),
  ]
}

type Follower = { readonly accountId: number; readonly openid: string; readonly leadId: number | null }

function add(world: World, { accountId, openid, leadId }: Follower, events: readonly FollowEvent[]): void {
  const now = foldFollowing(events)
  if (!now) return
  const id = world.ids.next('account_follower')
  world.rows.add('account_follower', [
    {
      ...{ id, account_id: accountId, openid, lead_id: leadId, status: now.status, times: now.times },
      ...{ scene_id: now.sceneId === null ? null : Number(now.sceneId), came_by: now.cameBy },
      ...{ first_at: new Date(now.firstMs), left_at: now.leftMs === null ? null : new Date(now.leftMs) },
    },
  ])
  const rows = events.map(
    ({ kind, atMs, sceneId, cameBy }): NewRow<'account_event'> => ({
      ...{ follower_id: id, kind, at: new Date(atMs), came_by: cameBy },
      scene_id: sceneId === null ? null : Number(sceneId),
    }),
  )
  world.rows.add(
    'account_event',
    byTime(rows, ({ at }) => at),
  )
  world.rows.add(
    'account_answer',
    events.flatMap(({ kind, atMs }): NewRow<'account_answer'>[] => {
      const to = { account_id: accountId, follower_id: id, state: 'SENT' } as const
      const times = { said_at: new Date(atMs), sending_at: new Date(atMs), created_at: new Date(atMs) }
      if (kind === 'SUBSCRIBE') return [{ ...to, kind: 'WELCOME', keyword: null, reply: WELCOME, ...times }]
      const said = kind === 'MESSAGE' ? REPLIES[id % REPLIES.length] : undefined
      return said ? [{ ...to, kind: 'KEYWORD', keyword: said.keyword, reply: said.reply, ...times }] : []
    }),
  )
}

/** Somebody scans one of the codes and follows. */
async function followNow({ db, clock }: Outside, random: Random): Promise<SimulatedEvent | undefined> {
  const open = await db.query
    .selectFrom('account_scene as s')
    .innerJoin('official_account as a', 'a.id', 's.account_id')
    .select(['a.app_id', 's.state_code'])
    .where('s.status', '=', 'OPEN')
    .orderBy('s.id')
    .limit(20)
    .execute()
  if (open.length === 0) return undefined
  const { app_id: appId, state_code: state } = random.pick(open)
  const openid = `oNow${random.whole(0, 2 ** 31).toString(36)}${random.whole(0, 2 ** 31).toString(36)}`
  const data = { appId, openid, at: clock.now().toISOString(), state, cameBy: 'ADD_SCENE_QR_CODE' }
  return { source: 'official-account', type: 'official-account.subscribed', data }
}

/** What people type, as they type it: to most of it there is an answer. */
const TYPED = ['体验课', '课程价格是多少', '想找顾问问问', '打卡', '在吗', '作品什么时候点评'] as const
/** Behind the numbers of those who followed over the two years. */
const PLAYED = FIRST + 10_000
const PLAYERS = 5_000

/** Somebody who follows an account writes to it, scans another code, leaves a number on its page, or has had enough. */
async function goOn({ db, clock }: Outside, random: Random): Promise<SimulatedEvent | undefined> {
  const [person] = await db.read.rows(
    `select a.app_id, f.openid, (
        select state_code from account_scene where account_id = a.id and status = 'OPEN' order by id desc limit 1) as state
     from account_follower f join official_account a on a.id = f.account_id
     where f.status = 'FOLLOWING' and a.status = 'ACTIVE' order by f.id desc limit 1 offset $1`,
    [random.whole(0, 60)],
  )
  if (!person) return undefined
  const who = { appId: String(person.app_id), openid: String(person.openid), at: clock.now().toISOString() }
  const told = (what: string, data: object = {}): SimulatedEvent => ({
    ...{ source: 'official-account', type: `official-account.${what}` },
    data: { ...who, ...data },
  })
  const messageId = String(random.whole(1, 2 ** 31))
  return random.weighted([
    [told('messaged', { text: random.pick(TYPED), messageId }), 5],
    [told('number-left', { phone: phoneAt(PLAYED + random.whole(0, PLAYERS - 1)) }), 2],
    [told('scanned', person.state === null ? {} : { state: String(person.state) }), 2],
    [told('unsubscribed'), 1],
  ])
}

const KEEP = [
  ...READ,
  'create',
  'update',
  'publishMenu',
  'confirmMenu',
  'publishMenuAgain',
  'addScene',
  'closeScene',
  'export',
] as const

export const demo: Story = {
  holds: { OPERATIONS: KEEP, OPERATIONS_MANAGER: ['stop', 'resume'], AUDITOR: READ },
  end,
  scenes: [
    [followNow, 3],
    [goOn, 8],
  ],
  async stored(tx, world) {
    // Whoever left a number and registered since.
    await sql`
      update account_follower f set member_id = l.member_id from lead l where l.id = f.lead_id and l.member_id is not null`.execute(
      tx,
    )
    await countAccounts({ tx, now: world.now })
  },
}
