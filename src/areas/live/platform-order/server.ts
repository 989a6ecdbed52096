import { followOwner, seenByOwner } from '#areas/members/member/handing-over.server.ts'
import { forgets } from '#kit/server/change/erasure.ts'
import type { Invariant } from '#kit/server/change/invariants.ts'
import { events as arrivals, numbered, paidLate } from './arriving.server.ts'
import { deliveries as asked } from './asking.server.ts'
import { findUnclaimed } from './exceptions.server.ts'
import type { FactName } from './facts.model.ts'
import { recognised } from './recognising.server.ts'

export const events = arrivals
export const deliveries = asked
export const jobs = [findUnclaimed]
/** Facts that tell who it was; all others tell what was bought. */
const PERSONAL = ['ownPhone', 'platformPhone', 'registeredPhone', 'unionid', 'state'] satisfies FactName[]

export const listeners = [
  followOwner('platform_order'),
  numbered,
  paidLate,
  recognised,
  forgets({
    table: 'platform_order',
    where: 't.member_id = $1 or t.lead_phone = any($2::text[])',
    becomes: {
      facts: ['facts', ...PERSONAL.map(name => `'${name}'`)].join(' - '),
      lead_phone: 'null',
      unionid: 'null',
      claim_state: 'null',
    },
    known: ['unionid', 'claim_state'],
  }),
]

export const invariants: readonly Invariant[] = [
  seenByOwner('platform_order'),
  {
    name: 'a refund a platform told of has its notice',
    query: `
      select p.id from platform_order p
      left join refund_notice n on n.order_no = p.order_no
        and n.source = case p.platform when 'DOUYIN' then 'douyin' when 'WECHAT_SHOP' then 'wechat-shop' else 'xiaohongshu' end
      where p.status = 'REFUNDED' and n.id is null`,
  },
  {
    name: "a course opened for a platform's order is its member's, of that platform",
    query: `
      select p.id from platform_order p join sales_order o on o.id = p.order_id
      where o.member_id <> p.member_id or o.source <> p.platform`,
  },
]
