import { ordersOf } from '#areas/orders/order/demo-trade.server.ts'
import type { NewRow } from '#demo/insert-rows.server.ts'
import type { Colleague } from '#demo/organisation.server.ts'
import { READ } from '#demo/roles.server.ts'
import type { Story } from '#demo/story.server.ts'
import { colleague, DAY_MS, HOUR_MS, remembered, type World } from '#demo/world.server.ts'
import { leadsIn } from '#engines/lead/demo-leads.server.ts'
import { defaultsOf } from '#kit/model/setting.ts'
import { addDays, dayOf } from '#kit/model/time.ts'
import { percentOff, resource } from './model.ts'
import { settings } from './settings.model.ts'

type Row = NewRow<'sales_request'>
type Asked = Pick<Row, 'kind' | 'reason' | 'status'> & {
  readonly by: Colleague
  /** So many days ago. */
  readonly ago: number
  readonly fields: Partial<Row>
  readonly no?: string
  /** What was sold by it. */
  readonly orderId?: number
}
type Known = Asked & { readonly id: number; readonly at: number; readonly decided: number }

/** So many days ago the discount was asked for that nobody has used yet. */
const UNUSED = 5

/** Every business begins with one pool. */
const DEFAULT_POOL = 1

/** What was asked for, as it came. */
const askedIn = remembered((world): Known[] =>
  [...lately(world), ...promises(world)]
    .sort((a, b) => b.ago - a.ago)
    .map(asked => {
      const at = world.now.getTime() - Math.floor(asked.ago * DAY_MS)
      return { ...asked, id: world.ids.next('sales_request'), at, decided: at + 4 * HOUR_MS }
    }),
)

const end = (world: World): void => {
  for (const asked of askedIn(world)) add(world, asked)
}

const PROMISED = ['第二个孩子也报名，给老客户价', '家长介绍了同事，答应同样的价格', '体验课上答应过的优惠']
/** So long before it was sold somebody asked for the price. */
const BEFORE_SOLD = 30 * HOUR_MS

/** What the orders tell that were sold at a price agreed to before. */
const promises = (world: World): Asked[] =>
  ordersOf(world).flatMap((order, nth): Asked[] => {
    const { soldBy: by, promisedFrom, amountFen, createdAt, lines } = order
    if (!by || promisedFrom === null) return []
    const fields = { product_id: lines[0]?.offer.id ?? null, list_fen: promisedFrom, price_fen: amountFen }
    const ago = (world.now.getTime() - createdAt + BEFORE_SOLD) / DAY_MS
    const reason = PROMISED[nth % PROMISED.length] ?? ''
    return [{ kind: 'DISCOUNT', status: 'APPROVED', by, ago, reason, fields, orderId: order.id }]
  })

/** What consultants asked for lately: prices, claims and leads; some wait, and one of them for finance. */
function lately(world: World): Asked[] {
  const sellers = world.staff.filter(
    ({ role, enabled, org }) => role === 'SALES' && enabled && org.startsWith('SALES_'),
  )
  const [first = colleague(world, 'SALES'), second = first, third = first] = sellers
  const products = world.rows
    .of('product')
    .filter(({ status, price_fen }) => status === 'ON_SALE' && Number(price_fen) >= 50_000)
  const cut = (nth: number, percent: number) => {
    const product = products[nth % Math.max(1, products.length)]
    const list = Number(product?.price_fen)
    return (
      product && {
        product_id: product.id,
        list_fen: list,
        price_fen: Math.round((list * (100 - percent)) / 10_000) * 100,
      }
    )
  }
  const told: Asked[] = []
  const ask = (asked: Asked) => void told.push(asked)
  const priced = (
    by: Colleague,
    ago: number,
    status: Asked['status'],
    percent: number,
    reason: string,
    no?: string,
  ) => {
    const fields = cut(Math.floor(ago), percent)
    if (fields) ask({ kind: 'DISCOUNT', by, ago, status, reason, fields, ...(no ? { no } : {}) })
  }
  priced(second, 46, 'APPROVED', 10, '兄弟二人一起报名，家长希望两份都优惠')
  priced(third, 25, 'REJECTED', 40, '家长说别家便宜一半', '差价太大，请先介绍点评服务的不同')
  priced(first, UNUSED, 'APPROVED', 12, '老学员介绍来的同班家长，约定给老客户价')
  priced(third, 3, 'APPROVED', 8, '直播间承诺的福利，客户错过了时间')
  priced(second, 1.2, 'L1_APPROVED', 25, '学校团购十二人，统一价格')
  priced(first, 0.3, 'SUBMITTED', 10, '家长比较了三家，今天能定')
  const quota = (ago: number, extra: number, at: number) => ({
    pool_id: DEFAULT_POOL,
    quota_day: addDays(dayOf(new Date(world.now.getTime() - ago * DAY_MS)), at),
    extra_claims: extra,
  })
  ask({
    kind: 'EXTRA_QUOTA',
    by: third,
    ago: 12,
    status: 'APPROVED',
    reason: '周末值班，公海线索多',
    fields: quota(12, 20, 1),
  })
  ask({
    kind: 'EXTRA_QUOTA',
    by: second,
    ago: 0.5,
    status: 'SUBMITTED',
    reason: '手上线索已跟完，想多捞一些',
    fields: quota(0.5, 10, 1),
  })
  const asked = leadsIn(world).find(
    ({ lead, span }) => span && !lead.ended_at && lead.phone && lead.owner_id !== first.id,
  )
  if (asked)
    ask({
      ...{ kind: 'TAKE_OVER', by: first, ago: 0.6, status: 'SUBMITTED', reason: '家长是我老学员的邻居，直接找到了我' },
      fields: { lead_phone: asked.lead.phone ?? null, lead_id: Number(asked.lead.id) },
    })
  const pupil = world.rows
    .of('member')
    .find(({ owner_id, status }) => owner_id === first.id && (status ?? 'ACTIVE') === 'ACTIVE')
  if (pupil)
    ask({
      ...{ kind: 'GIFT', by: first, ago: 0.15, status: 'SUBMITTED', reason: '本月赠送额度已用完，家长遇到两次卡顿' },
      fields: { gift_to_id: Number(pupil.id), gift_kind: 'DAYS', quantity: 7 },
    })
  return told
}

const BLANK = {
  ...{ lead_phone: null, lead_id: null, from_id: null, pool_id: null, quota_day: null, extra_claims: null },
  ...{ product_id: null, list_fen: null, price_fen: null, usable_until: null, l1_by: null, l2_by: null },
  ...{ gift_to_id: null, gift_kind: null, quantity: null },
}

function add(world: World, { id, by, at, decided, status, fields, no, kind, reason }: Known): void {
  const asked = { kind, reason }
  const [isNew, isOpen] = [status === 'SUBMITTED', status === 'SUBMITTED' || status === 'L1_APPROVED']
  const manager = leaderOf(world, by)
  const { l2Percent, discountDays } = defaultsOf(settings)
  const off = percentOff({ listFen: fen(fields.list_fen), priceFen: fen(fields.price_fen) })
  const usable = status === 'APPROVED' && asked.kind === 'DISCOUNT'
  world.rows.add('sales_request', [
    {
      ...{ ...BLANK, id, ...asked, status, request_no: world.numbers.next('Q', at), needs_l2: off > l2Percent },
      ...{ applicant_id: by.id, owner_id: by.id, org_id: by.orgId },
      ...{ l1_by: status === 'APPROVED' || status === 'L1_APPROVED' ? manager.id : null },
      ...{
        created_at: new Date(at),
        state_since: new Date(isNew ? at : decided),
        expires_at: new Date(at + 7 * DAY_MS),
      },
      ...{ ended_at: isOpen ? null : new Date(decided), version: isNew ? 1 : 2, ...fields },
      usable_until: usable ? addDays(dayOf(new Date(decided)), discountDays) : null,
    },
  ])
  if (asked.kind === 'EXTRA_QUOTA' && status === 'APPROVED')
    world.rows.add('lead_pool_extra', [
      {
        ...{ request_id: id, pool_id: DEFAULT_POOL, staff_id: by.id },
        ...{ day: String(fields.quota_day), extra: Number(fields.extra_claims) },
      },
    ])
  const line = { resource, recordId: id }
  world.log.write({ ...line, at, actor: by, action: 'create', after: { kind: asked.kind, reason: asked.reason } })
  if (isNew) return
  const action = status === 'REJECTED' ? 'reject' : 'approve'
  const endedAt = isOpen ? null : new Date(decided).toISOString()
  const told = { before: { status: 'SUBMITTED', endedAt: null }, after: { status, endedAt }, reason: no }
  world.log.write({ ...line, at: decided, actor: manager, action, ...told })
}

/** What was agreed to went out as a link, to the last day it can be used. */
export const discountsIn = (world: World) =>
  askedIn(world)
    .filter(({ kind, status, ago }) => kind === 'DISCOUNT' && status === 'APPROVED' && ago !== UNUSED)
    .map(({ id, by: seller, decided, fields, orderId = null }) => ({
      ...{ seller, at: decided + HOUR_MS, orderId },
      ...{ productId: Number(fields.product_id), listFen: Number(fields.list_fen) },
      discount: { id, priceFen: Number(fields.price_fen) },
      expiresOn: addDays(dayOf(new Date(decided)), defaultsOf(settings).discountDays),
    }))

const fen = (stored: unknown): number | null => (stored == null ? null : Number(stored))

const leaderOf = (world: World, { org }: Colleague): Colleague =>
  world.staff.find(one => one.org === org && one.role === 'SALES_MANAGER_COPY') ??
  colleague(world, 'SALES_MANAGER_COPY')

export const demo: Story = {
  holds: {
    SALES: [...READ, 'create', 'withdraw', 'reveal'],
    SALES_MANAGER_COPY: ['approve', 'reject', 'export'],
    FINANCE: [...READ, 'approveL2', 'reject'],
    AUDITOR: READ,
  },
  end,
  // Somebody else's lead.
  enters: () => ({
    ...{ kind: 'TAKE_OVER', poolId: null, quotaDay: null, extraClaims: null, productId: null, priceFen: null },
    ...{ giftToId: null, giftKind: null, quantity: null, couponId: null },
  }),
}
