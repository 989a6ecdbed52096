import { area as orders } from '#areas/orders/area.ts'
import { Figure } from '#kit/page/field/figure.tsx'
import { RowsLink } from '#kit/page/field/rows-link.tsx'
import { MISSING } from '#kit/page/field/show.tsx'
import { formatYuan } from '#kit/page/figures.ts'
import { useTexts } from '#kit/page/language.ts'
import { ListPage } from '#kit/page/list/list-page.tsx'
import type { locale } from './locale.ts'
import { type DistributionOrder, resource } from './model.ts'

export function Page() {
  return (
    <ListPage
      resource={resource}
      shows={{
        refundedFen: (row: DistributionOrder) => <Made of="refundedFen" row={row} />,
        commissionFen: (row: DistributionOrder) =>
          row.part === 'OPEN' ? MISSING : <Made of="commissionFen" row={row} />,
      }}
    />
  )
}

const LISTS = {
  refundedFen: ({ orderId }: DistributionOrder) => ({
    list: orders.screens['refund-application'],
    query: { orderId, status: 'PAID' },
  }),
  commissionFen: ({ id }: DistributionOrder) => ({
    list: { route: `${resource.screen.route}/${id}`, key: resource.screen.key },
    query: {},
  }),
} as const

/** A sum that leads to what it was made of: refunds that were paid, and lines of statements. */
function Made({ of, row }: { of: keyof typeof LISTS; row: DistributionOrder }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const value = formatYuan(row[of])
  return (
    <Figure>{row[of] === 0 ? value : <RowsLink {...LISTS[of](row)} name={say(`field.${of}`)} value={value} />}</Figure>
  )
}
