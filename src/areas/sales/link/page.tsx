import { area as orders } from '#areas/orders/area.ts'
import { Figure } from '#kit/page/field/figure.tsx'
import { RowsLink } from '#kit/page/field/rows-link.tsx'
import { formatCount, formatYuan } from '#kit/page/figures.ts'
import { useTexts } from '#kit/page/language.ts'
import { later } from '#kit/page/later.tsx'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { StateTag } from '#kit/page/tone.tsx'
import { area } from '../area.ts'
import type { locale } from './locale.ts'
import { type Link, resource, workflow } from './model.ts'

const LinkCode = later(async () => (await import('#engines/copybook/code.page.tsx')).LinkCode)
const Days = later(async () => (await import('./days.page.tsx')).Days)
const LastDay = later(async () => (await import('./last-day.page.tsx')).LastDay)
const DiscountInput = later(async () => (await import('./discount-input.page.tsx')).DiscountInput)

export function Page() {
  return (
    <ListPage
      resource={resource}
      workflow={workflow}
      inputs={{ discountId: () => <DiscountInput />, expiresOn: () => <LastDay /> }}
      tabs={[{ name: 'tab.days', Show: Days }]}
      shows={{
        leads: (row: Link) => <Counted of="leads" row={row} />,
        orders: (row: Link) => <Counted of="orders" row={row} />,
        amountFen: (row: Link) => <Counted of="amountFen" row={row} />,
        shortOrders: ({ shortOrders }: Link) =>
          shortOrders === 0 ? '0' : <StateTag tone="attention">{formatCount(shortOrders)}</StateTag>,
        handedOn: ({ handedOn: { address, squares }, code }: Link) =>
          squares.length > 0 ? <LinkCode squares={squares} link={address} name={code} /> : address,
      }}
    />
  )
}

const PAID = { list: orders.screens.order, query: { payState: 'PAID' } }
const LISTS = { leads: { list: area.screens.salvage, query: {} }, orders: PAID, amountFen: PAID } as const

function Counted({ of, row }: { of: keyof typeof LISTS; row: Link }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const { list, query } = LISTS[of]
  const value = of === 'amountFen' ? formatYuan(row[of]) : formatCount(row[of])
  return (
    <Figure>
      {row[of] === 0 ? (
        value
      ) : (
        <RowsLink list={list} query={{ ...query, linkId: row.id }} name={say(`field.${of}`)} value={value} />
      )}
    </Figure>
  )
}
