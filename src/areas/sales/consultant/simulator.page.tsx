import { useMutation } from '@tanstack/react-query'
import { Alert, Button, DatePicker, Flex, Table, Typography } from 'antd'
import { useState } from 'react'
import type { RuleSet } from '#engines/allocation/rule.model.ts'
import { addDays, dayOf } from '#kit/model/time.ts'
import { post } from '#kit/page/call.ts'
import { useDays } from '#kit/page/field/days.ts'
import { Figure } from '#kit/page/field/figure.tsx'
import { MISSING } from '#kit/page/field/show.tsx'
import { useTexts } from '#kit/page/language.ts'
import { useNotices } from '#kit/page/notice.tsx'
import { Asked } from './asked.page.tsx'
import type { locale } from './locale.ts'
import { resource } from './model.ts'
import type { Simulated, ToldDay } from './rules.model.ts'

type Props = { set: RuleSet; firstDay: string | null; whenWhole(go: () => void): void }

/** A past day by the rules as they are edited now, beside how it went. */
export function Simulator({ set, firstDay, whenWhole }: Props) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const days = useDays()
  const notices = useNotices()
  const today = dayOf(new Date())
  const [day, choose] = useState(() => latest(addDays(today, -1), firstDay))
  const { mutate, isPending, data } = useMutation({
    mutationFn: () => post<Simulated>(`/${resource.screen.name}/allocation/simulate`, { set, day }),
    onError: problem => notices.failed(problem, say('simulate-failed')),
  })
  return (
    <>
      <Typography.Paragraph type="secondary">{say('simulate-help')}</Typography.Paragraph>
      <Flex wrap gap={16} align="end">
        <Asked label={say('simulate-day')}>
          <DatePicker
            aria-label={say('simulate-day')}
            allowClear={false}
            value={days(day)}
            minDate={days(firstDay ?? today)}
            maxDate={days(today)}
            onChange={picked => picked && choose(picked.format('YYYY-MM-DD'))}
          />
        </Asked>
        <Button type="primary" loading={isPending} onClick={() => whenWhole(mutate)}>
          {say('simulate')}
        </Button>
      </Flex>
      {data && <Result told={data} />}
    </>
  )
}

const latest = (day: string, first: string | null): string => (first !== null && day < first ? first : day)

function Result({ told }: { told: Simulated }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const { leads, moved, isReproduced } = told
  return (
    <Flex vertical gap={12} style={{ marginTop: 16 }}>
      <Alert
        type={moved === 0 ? 'success' : 'info'}
        showIcon
        title={moved === 0 ? say('simulated-same', { leads }) : say('simulated', { leads, moved })}
        description={isReproduced ? say('reproduced') : say('not-reproduced')}
      />
      <Totals told={told} />
      <Table
        size="small"
        rowKey="id"
        pagination={false}
        scroll={{ x: 'max-content' }}
        dataSource={told.people}
        columns={[
          { title: say('sim.person'), dataIndex: 'name' },
          { title: say('sim.real'), dataIndex: 'real', align: 'right' },
          { title: say('sim.would'), dataIndex: 'would', align: 'right' },
          {
            title: say('sim.change'),
            align: 'right',
            render: (_, { real, would }) => <Figure>{signed(would - real)}</Figure>,
          },
          ...CAPS.map(cap => ({
            title: say(`sim.${cap}Full`),
            key: cap,
            align: 'right' as const,
            render: (_: unknown, { full }: Simulated['people'][number]) => (
              <Figure>{`${full.real[cap]} → ${full.would[cap]}`}</Figure>
            ),
          })),
        ]}
      />
    </Flex>
  )
}

const signed = (change: number): string => (change > 0 ? `+${change}` : String(change))

const CAPS = ['day', 'open'] as const
const FIGURES = ['given', 'waiting', 'minutes', 'longest', 'dayFull', 'openFull'] as const

function Totals({ told: { real, would } }: { told: Simulated }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const shown = (of: ToldDay, field: (typeof FIGURES)[number]) => of[field] ?? MISSING
  return (
    <Table
      style={{ width: 'fit-content', maxWidth: '100%' }}
      size="small"
      rowKey="field"
      pagination={false}
      scroll={{ x: 'max-content' }}
      dataSource={FIGURES.map(field => ({ field, real: shown(real, field), would: shown(would, field) }))}
      columns={[
        {
          title: say('sim.figure'),
          dataIndex: 'field',
          render: (field: (typeof FIGURES)[number]) => say(`sim.${field}`),
        },
        { title: say('sim.real'), dataIndex: 'real', align: 'right' },
        { title: say('sim.would'), dataIndex: 'would', align: 'right' },
      ]}
    />
  )
}
