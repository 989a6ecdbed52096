import { area as members } from '#areas/members/area.ts'
import { area as orders } from '#areas/orders/area.ts'
import { Figure } from '#kit/page/field/figure.tsx'
import { RowsLink } from '#kit/page/field/rows-link.tsx'
import { formatCount } from '#kit/page/figures.ts'
import { ImportButton } from '#kit/page/import/import-button.tsx'
import { useTexts } from '#kit/page/language.ts'
import { later } from '#kit/page/later.tsx'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { area } from '../area.ts'
import type { locale } from './locale.ts'
import { resource, type SchoolTeacher, workflow } from './model.ts'

const LinkCode = later(async () => (await import('#engines/copybook/code.page.tsx')).LinkCode)

export function Page() {
  return (
    <ListPage
      resource={resource}
      workflow={workflow}
      tools={<ImportButton resource={resource} />}
      shows={{
        leads: (row: SchoolTeacher) => <Brought of="leads" row={row} />,
        members: (row: SchoolTeacher) => <Brought of="members" row={row} />,
        orders: (row: SchoolTeacher) => <Brought of="orders" row={row} />,
        squares: ({ squares, link, name }: SchoolTeacher) =>
          link && <LinkCode squares={squares} link={link} name={name} />,
      }}
    />
  )
}

const LISTS = {
  leads: { list: area.screens.salvage, query: {} },
  members: { list: members.screens.member, query: {} },
  orders: { list: orders.screens.order, query: { payState: 'PAID' } },
} as const

/** How many came by the teacher's channel, with the way to each of them. */
function Brought({ of, row }: { of: keyof typeof LISTS; row: SchoolTeacher }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const { list, query } = LISTS[of]
  return (
    <Figure>
      <RowsLink
        list={list}
        query={{ ...query, channel: row.channel ?? '' }}
        name={say(`field.${of}`)}
        value={formatCount(row[of])}
      />
    </Figure>
  )
}
