import { Segmented, Space, Table, Typography } from 'antd'
import { useState } from 'react'
import type { Tone } from '#kit/model/field.ts'
import { MISSING, ReferenceLabel } from '#kit/page/field/show.tsx'
import { useTexts } from '#kit/page/language.ts'
import type { locale as kitLocale } from '#kit/page/locale.ts'
import { StateTag } from '#kit/page/tone.tsx'
import type { Issued } from './issuing.model.ts'
import type { locale } from './locale.ts'
import { resource } from './model.ts'

const OUTCOMES = ['done', 'over', 'failed'] as const
type Outcome = (typeof OUTCOMES)[number]
const TONES: Readonly<Record<Outcome, Tone>> = { done: 'done', over: 'attention', failed: 'failed' }

/** What became of each member: those who got nothing first, with the reason. */
export function IssuedList({ issued }: { issued: Issued }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const kit = useTexts<typeof kitLocale>('kit/page')
  const { done, over, failed } = issued
  const [shown, setShown] = useState<Outcome>(failed.length > 0 ? 'failed' : over.length > 0 ? 'over' : 'done')
  return (
    <Space orientation="vertical" size={12} style={{ width: '100%' }}>
      <Typography.Text strong role="status">
        {say('issued-summary', { done: done.length, over: over.length, failed: failed.length })}
      </Typography.Text>
      <Segmented<Outcome>
        value={shown}
        onChange={setShown}
        options={OUTCOMES.map(outcome => ({
          value: outcome,
          label: `${say(`issued.${outcome}`)} ${issued[outcome].length}`,
        }))}
      />
      <Table<Issued['over'][number] | Issued['done'][number]>
        size="small"
        rowKey="id"
        dataSource={issued[shown]}
        pagination={{ pageSize: 10, hideOnSinglePage: true, showSizeChanger: false, size: 'small' }}
        columns={[
          {
            title: say('holder.member'),
            render: (_, { id, name, phone }) => (
              <ReferenceLabel label={{ id, name: name || `#${id}`, note: phone || null, tone: null }} />
            ),
          },
          {
            title: say('holder.status'),
            width: 120,
            render: () => <StateTag tone={TONES[shown]}>{say(`issued.${shown}`)}</StateTag>,
          },
          { title: kit('reason'), render: (_, row) => ('why' in row ? say(`why.${row.why}`) : MISSING) },
        ]}
      />
    </Space>
  )
}
