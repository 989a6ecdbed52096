import { Space } from 'antd'
import { cancelLeftMs } from '#areas/live/platform-order/fields.model.ts'
import { useMinute } from '#kit/page/field/minute.ts'
import { Instant, MISSING } from '#kit/page/field/show.tsx'
import { useTexts } from '#kit/page/language.ts'
import { ListPage } from '#kit/page/list/list-page.tsx'
import type { locale } from './locale.ts'
import { type DyCode, resource, workflow } from './model.ts'

const MINUTE_MS = 60_000

export function Page() {
  return (
    <ListPage
      resource={resource}
      workflow={workflow}
      isUnderWay={({ verifyState }) => verifyState === 'ASKED' || verifyState === 'CANCELLING'}
      shows={{ verifiedAt: (row: DyCode) => <Verified row={row} /> }}
    />
  )
}

/** When it was verified, and for how long that can be taken back. */
function Verified({ row: { verifiedAt, verifyState } }: { row: DyCode }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const now = useMinute()
  if (verifiedAt === null) return MISSING
  const left = verifyState === 'VERIFIED' ? Math.ceil(cancelLeftMs(verifiedAt, now.getTime()) / MINUTE_MS) : 0
  return (
    <Space size={8}>
      <Instant at={verifiedAt} />
      {left > 0 && <span className="inkstone-note">{say('cancel-left', { minutes: left })}</span>}
    </Space>
  )
}
