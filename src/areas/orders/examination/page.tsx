import { useTexts } from '#kit/page/language.ts'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { Lines } from '../lines.page.tsx'
import { Flags } from './flags.page.tsx'
import type { locale } from './locale.ts'
import { type Examination, resource, workflow } from './model.ts'
import { Sharing } from './sharing.page.tsx'

export function Page() {
  const say = useTexts<typeof locale>(resource.screen.name)
  return (
    <ListPage
      resource={resource}
      workflow={workflow}
      shows={{
        flags: (row: Examination) => <Flags flags={row.flags} />,
        lines: (row: Examination) => <Lines lines={row.lines} parts={['listFen', 'amountFen']} />,
        sharing: (row: Examination) => <Sharing orders={row.sharing} />,
      }}
      links={row => [
        { text: `${say('field.orderId')} ${row.labels.orderId?.name}`, path: `/order/list?open=${row.orderId}` },
      ]}
    />
  )
}
