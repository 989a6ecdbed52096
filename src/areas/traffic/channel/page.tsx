import { area as members } from '#areas/members/area.ts'
import { area as orders } from '#areas/orders/area.ts'
import { area as sales } from '#areas/sales/area.ts'
import { Figure } from '#kit/page/field/figure.tsx'
import { RowsLink } from '#kit/page/field/rows-link.tsx'
import { formatCount } from '#kit/page/figures.ts'
import { useTexts } from '#kit/page/language.ts'
import { later } from '#kit/page/later.tsx'
import { ListPage } from '#kit/page/list/list-page.tsx'
import type { locale } from './locale.ts'
import { type Channel, PAID, resource, workflow } from './model.ts'

const LinkCode = later(async () => (await import('#engines/copybook/code.page.tsx')).LinkCode)

export function Page() {
  return (
    <ListPage
      resource={resource}
      workflow={workflow}
      shows={{
        leads: (row: Channel) => <Counted of="leads" row={row} />,
        members: (row: Channel) => <Counted of="members" row={row} />,
        orders: (row: Channel) => <Counted of="orders" row={row} />,
        squares: ({ squares, link, name }: Channel) => link && <LinkCode squares={squares} link={link} name={name} />,
      }}
    />
  )
}

const LISTS = {
  leads: { list: sales.screens.salvage, query: {} },
  members: { list: members.screens.member, query: {} },
  orders: { list: orders.screens.order, query: PAID },
} as const

function Counted({ of, row }: { of: keyof typeof LISTS; row: Channel }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const { list, query } = LISTS[of]
  return (
    <Figure>
      <RowsLink
        list={list}
        query={{ ...query, channel: row.code }}
        name={say(`field.${of}`)}
        value={formatCount(row[of])}
      />
    </Figure>
  )
}
