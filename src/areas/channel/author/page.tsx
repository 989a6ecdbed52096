import { Figure } from '#kit/page/field/figure.tsx'
import { RowsLink } from '#kit/page/field/rows-link.tsx'
import { formatCount, formatYuan } from '#kit/page/figures.ts'
import { useTexts } from '#kit/page/language.ts'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { area } from '../area.ts'
import type { locale } from './locale.ts'
import { type Author, resource } from './model.ts'

export function Page() {
  return (
    <ListPage
      resource={resource}
      shows={{
        paidOrders: (row: Author) => <Made of="paidOrders" row={row} />,
        paidFen: (row: Author) => <Made of="paidFen" row={row} />,
        refundedFen: (row: Author) => <Made of="refundedFen" row={row} />,
        commissionFen: (row: Author) => <Made of="commissionFen" row={row} />,
      }}
    />
  )
}

/** Which of the partner's orders a figure is made of. */
const ROWS = {
  paidOrders: {},
  paidFen: {},
  refundedFen: { isRefunded: 'true' },
  commissionFen: { part: 'COUNTED' },
} as const

/** A figure that leads to the orders it was counted from. */
function Made({ of, row }: { of: keyof typeof ROWS; row: Author }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const value = of === 'paidOrders' ? formatCount(row[of]) : formatYuan(row[of])
  const list = area.screens['distribution-order']
  const query = { partnerId: row.partnerId, ...ROWS[of] }
  return (
    <Figure>
      {row[of] === 0 ? value : <RowsLink list={list} query={query} name={say(`field.${of}`)} value={value} />}
    </Figure>
  )
}
