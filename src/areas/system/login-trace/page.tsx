import { Badge } from 'antd'
import { deviceName } from '#kit/page/field/device.ts'
import { MISSING, ReferenceLabel } from '#kit/page/field/show.tsx'
import { useTexts } from '#kit/page/language.ts'
import { ListPage } from '#kit/page/list/list-page.tsx'
import type { locale } from './locale.ts'
import { type LoginTrace, type LoginTraceRow, resource, workflow } from './model.ts'

export function Page() {
  return (
    <ListPage
      resource={resource}
      workflow={workflow}
      shows={{
        // The account stands beside already.
        staffId: ({ labels: { staffId } }: LoginTraceRow) =>
          staffId && <ReferenceLabel label={{ ...staffId, note: null }} to="staff" />,
        device: ({ device }: LoginTrace) => <span title={device}>{deviceName(device)}</span>,
        online: (row: LoginTrace) => <Online of={row} />,
      }}
    />
  )
}

/** Only who got in can be in. */
function Online({ of: { online, result } }: { of: LoginTrace }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  if (result !== 'SUCCESS') return MISSING
  return <Badge status={online ? 'success' : 'default'} text={say(online ? 'is-online' : 'is-offline')} />
}
