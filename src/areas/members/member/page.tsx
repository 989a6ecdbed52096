import { ListPage } from '#kit/page/list/list-page.tsx'
import { Avatar } from '#kit/page/shell/look/avatar.tsx'
import { FollowUps } from './follow-up.page.tsx'
import { Coins, MemberHead, MembershipEnd } from './head.page.tsx'
import { INPUTS } from './inputs.page.tsx'
import { Ledger } from './ledger.page.tsx'
import { type Member, resource, workflow } from './model.ts'
import { OwnerHistory } from './owner-history.page.tsx'

export function Page() {
  return (
    <ListPage
      resource={resource}
      workflow={workflow}
      inputs={INPUTS}
      isShown={(field, { giftKind }) =>
        field === 'couponId' ? giftKind === 'COUPON' : field !== 'quantity' || giftKind !== 'COUPON'
      }
      head={MemberHead}
      shows={{
        name: ({ name }: Member) => (
          <span className="inkstone-reference">
            <Avatar name={name} picture={null} />
            <span>{name}</span>
          </span>
        ),
        coins: ({ coins }: Member) => <Coins coins={coins} />,
        membershipEndsOn: ({ membershipEndsOn: day }: Member) => day && <MembershipEnd day={day} />,
      }}
      tabs={[
        { name: 'tab.ledger', Show: Ledger },
        { name: 'tab.followUps', Show: FollowUps },
        { name: 'tab.ownerHistory', Show: OwnerHistory },
      ]}
    />
  )
}
