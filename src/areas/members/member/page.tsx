import { later } from '#kit/page/later.tsx'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { Avatar } from '#kit/page/shell/look/avatar.tsx'
import { Coins, MembershipEnd } from './figures.page.tsx'
import { INPUTS } from './inputs.page.tsx'
import { type Member, resource, workflow } from './model.ts'

const ConsentLine = later(async () => (await import('./consent.page.tsx')).ConsentLine)
const Consents = later(async () => (await import('./consent.page.tsx')).Consents)
const FollowUps = later(async () => (await import('./follow-up.page.tsx')).FollowUps)
const MemberHead = later(async () => (await import('./head.page.tsx')).MemberHead)
const LeadPath = later(async () => (await import('./lead-path.page.tsx')).LeadPath)
const Ledger = later(async () => (await import('./ledger.page.tsx')).Ledger)
const OwnerHistory = later(async () => (await import('./owner-history.page.tsx')).OwnerHistory)

export function Page() {
  return (
    <ListPage
      resource={resource}
      workflow={workflow}
      inputs={INPUTS}
      isShown={(field, { giftKind }) =>
        field === 'phone'
          ? 'required'
          : field === 'couponId'
            ? giftKind === 'COUPON'
            : field !== 'quantity' || giftKind !== 'COUPON'
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
        consent: ({ consent }: Member) => <ConsentLine consent={consent} />,
        membershipEndsOn: ({ membershipEndsOn: day, pause }: Member) =>
          day && <MembershipEnd day={day} pause={pause} />,
      }}
      tabs={[
        { name: 'tab.ledger', Show: Ledger },
        { name: 'tab.followUps', Show: FollowUps },
        { name: 'tab.ownerHistory', Show: OwnerHistory },
        { name: 'tab.consents', Show: Consents },
        { name: 'tab.leadPath', Show: LeadPath },
      ]}
    />
  )
}
