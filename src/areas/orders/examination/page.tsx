import { ListPage } from '#kit/page/list/list-page.tsx'
import { Lines } from '../lines.page.tsx'
import { Flags } from './flags.page.tsx'
import { type Examination, resource, workflow } from './model.ts'
import { Sharing } from './sharing.page.tsx'

export function Page() {
  return (
    <ListPage
      resource={resource}
      workflow={workflow}
      shows={{
        flags: (row: Examination) => <Flags flags={row.flags} />,
        lines: (row: Examination) => <Lines lines={row.lines} parts={['listFen', 'amountFen']} />,
        sharing: (row: Examination) => <Sharing orders={row.sharing} />,
      }}
    />
  )
}
