import { useQuery } from '@tanstack/react-query'
import { Skeleton, Tabs } from 'antd'
import { useState } from 'react'
import { formatInstant } from '#kit/model/time.ts'
import { get } from '#kit/page/call.ts'
import { FormModal } from '#kit/page/form/form-modal.tsx'
import { useTexts } from '#kit/page/language.ts'
import { LoadFailed } from '#kit/page/load-failed.tsx'
import type { locale } from './locale.ts'
import { resource } from './model.ts'
import { RuleEditor } from './rule-editor.page.tsx'
import type { AllocationView } from './rules.model.ts'
import { Simulator } from './simulator.page.tsx'
import { usePutting } from './use-putting.page.tsx'
import { WaitingLeads } from './waiting.page.tsx'

const WIDTH = 1_080
/** Lists of people are long. */
const HIGH = { top: 24 }

/** The rules leads are given by: to be edited, tried on a day that is past, and put in force. */
export function Allocation({ onClose }: { onClose(): void }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const { data, error, refetch } = useQuery({
    queryKey: [resource.screen.name, 'allocation'],
    queryFn: ({ signal }) => get<AllocationView>(`/${resource.screen.name}/allocation`, { signal }),
  })
  if (data) return <Opened key={data.edition} view={data} onClose={onClose} onPut={refetch} />
  return (
    <FormModal width={WIDTH} title={say('allocation')} onClose={onClose} footer={null}>
      {error ? <LoadFailed error={error} onRetry={refetch} /> : <Skeleton active />}
    </FormModal>
  )
}

type OpenedProps = { view: AllocationView; onClose(): void; onPut(): unknown }

function Opened({ view, onClose, onPut }: OpenedProps) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const [set, change] = useState(view.set)
  const { put, isPending } = usePutting(view.edition, onPut)
  const waiting = view.waiting.reduce((sum, { count }) => sum + count, 0)
  const about = view.at
    ? say('in-force', {
        edition: view.edition ?? '',
        by: view.by ?? say('by-console'),
        at: formatInstant(new Date(view.at)),
      })
    : say('none-in-force')
  return (
    <FormModal
      width={WIDTH}
      style={HIGH}
      title={say('allocation')}
      onClose={onClose}
      okText={say('put-in-force')}
      okButtonProps={{ disabled: JSON.stringify(set) === JSON.stringify(view.set) }}
      confirmLoading={isPending}
      onOk={() => put(set)}
    >
      <p className="inkstone-note">
        {about}
        {view.note && ` · ${view.note}`}
      </p>
      <Tabs
        items={[
          {
            key: 'rules',
            label: say('rules-tab'),
            children: <RuleEditor set={set} onChange={change} consultants={view.consultants} />,
          },
          {
            key: 'simulate',
            label: say('simulate-tab'),
            children: <Simulator set={set} firstDay={view.firstDay} />,
          },
          {
            key: 'waiting',
            label: say('waiting-tab', { count: waiting }),
            children: <WaitingLeads groups={view.waiting} />,
          },
        ]}
      />
    </FormModal>
  )
}
