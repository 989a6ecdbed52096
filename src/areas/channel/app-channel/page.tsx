import { area as members } from '#areas/members/area.ts'
import { area as orders } from '#areas/orders/area.ts'
import { Figure } from '#kit/page/field/figure.tsx'
import { RowsLink } from '#kit/page/field/rows-link.tsx'
import { formatCount, formatYuan } from '#kit/page/figures.ts'
import { useTexts } from '#kit/page/language.ts'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { area } from '../area.ts'
import type { locale } from './locale.ts'
import { type Partner, resource } from './model.ts'

export function Page() {
  return (
    <ListPage
      resource={resource}
      shows={{
        registered: (row: Partner) => <Counted of="registered" row={row} />,
        paidOrders: (row: Partner) => <Counted of="paidOrders" row={row} />,
        settledFen: (row: Partner) => <Counted of="settledFen" row={row} />,
      }}
    />
  )
}

const LISTS = {
  registered: (row: Partner) => ({ list: members.screens.member, query: { channel: row.channel } }),
  paidOrders: (row: Partner) => ({ list: orders.screens.order, query: { channel: row.channel, payState: 'PAID' } }),
  settledFen: (row: Partner) => ({ list: area.screens.statement, query: { partnerId: row.id, status: 'PAID' } }),
} as const

/** A figure that leads to what it was counted from. */
function Counted({ of, row }: { of: keyof typeof LISTS; row: Partner }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const value = of === 'settledFen' ? formatYuan(row[of]) : formatCount(row[of])
  return (
    <Figure>{row[of] === 0 ? value : <RowsLink {...LISTS[of](row)} name={say(`field.${of}`)} value={value} />}</Figure>
  )
}
