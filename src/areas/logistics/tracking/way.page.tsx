import { Empty, Timeline } from 'antd'
import { fieldMeta } from '#kit/model/field.ts'
import { Instant } from '#kit/page/field/show.tsx'
import { useTexts } from '#kit/page/language.ts'
import { StateTag } from '#kit/page/tone.tsx'
import { shipmentFields } from '../shipment.model.ts'
import type { locale } from './locale.ts'
import { resource, type Tracked } from './model.ts'

const meta = fieldMeta(shipmentFields.trackingStatus)
const TONES = meta.kind === 'choice' ? meta.tones : {}

/** Where a parcel has been, newest first. */
export function Way({ events }: Pick<Tracked, 'events'>) {
  const say = useTexts<typeof locale>(resource.screen.name)
  if (events.length === 0) return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={say('no-events')} />
  return (
    <Timeline
      style={{ paddingTop: 12 }}
      items={events.map(({ at, status, content }) => ({
        key: `${at} ${content}`,
        content: (
          <>
            <StateTag tone={TONES[status] ?? 'idle'}>
              {say(`trackingStatus.${status as Tracked['trackingStatus']}`)}
            </StateTag>{' '}
            {content} · <Instant at={at} />
          </>
        ),
      }))}
    />
  )
}
