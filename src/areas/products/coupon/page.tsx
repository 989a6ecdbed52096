import { SendOutlined } from '@ant-design/icons'
import { Button, Space, Tag } from 'antd'
import { lazy, Suspense } from 'react'
import { dayOf } from '#kit/model/time.ts'
import { ReferencesPicker, useLabels } from '#kit/page/field/reference-picker.tsx'
import { MISSING } from '#kit/page/field/show.tsx'
import { figure, formatYuan } from '#kit/page/figures.ts'
import type { IsShown } from '#kit/page/form/inputs.ts'
import { type Say, useTexts } from '#kit/page/language.ts'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { useTab } from '#kit/page/tab.ts'
import { mayDo, useUser } from '#kit/page/user.ts'
import type { locale } from './locale.ts'
import { type Coupon, isOver, resource, workflow } from './model.ts'

const IssueModal = lazy(async () => ({ default: (await import('./issue.page.tsx')).IssueModal }))

/** The coupon being issued stands in the address (`0`: still to be chosen), where no filter is called so. */
const ISSUED = 'with.issue'

export function Page() {
  const say = useTexts<typeof locale>(resource.screen.name)
  const tab = useTab()
  const mayIssue = useUser(user => mayDo(user, resource.screen.key, 'issue'))
  const issuing = mayIssue ? tab.search.get(ISSUED) : null
  return (
    <>
      <ListPage
        resource={resource}
        workflow={workflow}
        isShown={isShown}
        inputs={{ productIds: () => <ReferencesPicker to="product" /> }}
        shows={{
          amountFen: (coupon: Coupon) => <Offer coupon={coupon} />,
          thresholdFen: (coupon: Coupon) => <Threshold coupon={coupon} />,
          validity: (coupon: Coupon) => <Validity coupon={coupon} />,
          productIds: (coupon: Coupon) => <Products ids={coupon.productIds} />,
        }}
        links={coupon =>
          mayIssue
            ? [
                {
                  text: say('step.issue'),
                  path: `${resource.screen.route}?${ISSUED}=${coupon.id}`,
                  why: whyClosed(coupon, say),
                },
              ]
            : []
        }
        tools={
          mayIssue && (
            <Button icon={<SendOutlined aria-hidden />} onClick={() => tab.change({ [ISSUED]: '0' }, 'push')}>
              {say('step.issue')}
            </Button>
          )
        }
      />
      {issuing !== null && (
        <Suspense>
          <IssueModal
            key={issuing}
            couponId={issuing === '0' ? undefined : issuing}
            onClose={() => tab.change({ [ISSUED]: undefined }, 'push')}
          />
        </Suspense>
      )}
    </>
  )
}

function whyClosed(coupon: Coupon, say: Say<'coupon-stopped' | 'coupon-over'>): string | undefined {
  if (coupon.status !== 'ACTIVE') return say('coupon-stopped')
  return isOver(coupon, dayOf(new Date())) ? say('coupon-over') : undefined
}

/** What makes sense depends on the kind, the products and the days it is for. */
const isShown: IsShown = (field, values) => {
  if (field === 'permille') return values.kind === 'DISCOUNT'
  if (field === 'productIds') return values.scope === 'PRODUCTS'
  if (field === 'validFrom' || field === 'validTo') return values.validity === 'FIXED'
  return field !== 'validDays' || values.validity === 'AFTER_TAKING'
}

function Offer({ coupon: { kind, amountFen, permille } }: { coupon: Coupon }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const amount = formatYuan(amountFen)
  if (kind === 'CASH' || permille === null) return amount
  return say('offer-discount', { percent: figure(String((1_000 - permille) / 10)), amount })
}

function Threshold({ coupon: { thresholdFen } }: { coupon: Coupon }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  return thresholdFen === 0 ? say('no-threshold') : formatYuan(thresholdFen)
}

function Validity({ coupon: { validFrom, validTo, validDays } }: { coupon: Coupon }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  if (validDays !== null) return say('days-after-taking', { days: validDays })
  return <span title={`${validFrom} – ${validTo}`}>{say('until-day', { day: validTo ?? '' })}</span>
}

function Products({ ids }: { ids: readonly string[] }) {
  const labels = useLabels('product', ids)
  if (labels.length === 0) return MISSING
  return (
    <Space wrap size={4}>
      {labels.map(({ id, name }) => (
        <Tag key={id}>{name}</Tag>
      ))}
    </Space>
  )
}
