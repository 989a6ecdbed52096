import { QRCode, Space, Typography } from 'antd'
import { resource as member } from '#areas/members/member/model.ts'
import { resource as order } from '#areas/orders/order/model.ts'
import { Figure } from '#kit/page/field/figure.tsx'
import { formatCount } from '#kit/page/figures.ts'
import { useTexts } from '#kit/page/language.ts'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { RowsLink } from '../rows-link.page.tsx'
import type { locale } from './locale.ts'
import { type Channel, resource, workflow } from './model.ts'

export function Page() {
  return (
    <ListPage
      resource={resource}
      workflow={workflow}
      shows={{
        members: (row: Channel) => <Counted of="members" row={row} />,
        orders: (row: Channel) => <Counted of="orders" row={row} />,
        link: (row: Channel) => <Link to={row.link} />,
      }}
    />
  )
}

const LISTS = {
  members: { list: member.screen, query: {} },
  orders: { list: order.screen, query: { payState: 'PAID' } },
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

const QR_PX = 120

function Link({ to }: { to: string | null }) {
  if (to === null) return '–'
  return (
    <Space align="start" size={12}>
      <QRCode value={to} size={QR_PX} bordered={false} type="svg" />
      <Typography.Text copyable style={{ wordBreak: 'break-all' }}>
        {to}
      </Typography.Text>
    </Space>
  )
}
