import { useQuery } from '@tanstack/react-query'
import { Skeleton, Tabs } from 'antd'
import { useState } from 'react'
import { formatInstant } from '#kit/model/time.ts'
import { get } from '#kit/page/call.ts'
import { FormModal } from '#kit/page/form/form-modal.tsx'
import { useTexts } from '#kit/page/language.ts'
import { LoadFailed } from '#kit/page/load-failed.tsx'
import { useNotices } from '#kit/page/notice.tsx'
import type { locale } from './locale.ts'
import { resource } from './model.ts'
import { RuleEditor } from './rule-editor.page.tsx'
import { type AllocationView, whyUnfinished } from './rules.model.ts'
import { Simulator } from './simulator.page.tsx'
import { useEdited } from './use-edited.page.tsx'
import { usePutting } from './use-putting.page.tsx'
import { WaitingLeads } from './waiting.page.tsx'

const WIDTH = 1_080
/** Lists of people are long. */
const HIGH = { top: 24 }
/** The button that puts them in force stays in sight below. */
const SCROLLS = { body: { maxHeight: 'calc(100vh - 190px)', overflowY: 'auto' } } as const

type Props = {
  /** Begins with one more rule, for what the others leave. */
  isMending: boolean
  onClose(): void
}

/** The rules leads are given by: to be edited, tried on a day that is past, and put in force. */
export function Allocation({ isMending, onClose }: Props) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const { data, error, refetch } = useQuery({
    queryKey: [resource.screen.name, 'allocation'],
    queryFn: ({ signal }) => get<AllocationView>(`/${resource.screen.name}/allocation`, { signal }),
  })
  const [isRestAsked, askForRest] = useState(isMending)
  const onPut = () => {
    askForRest(false)
    return refetch()
  }
  if (data) return <Opened key={data.edition} view={data} isMending={isRestAsked} onClose={onClose} onPut={onPut} />
  return (
    <FormModal width={WIDTH} title={say('allocation')} onClose={onClose} footer={null}>
      {error ? <LoadFailed error={error} onRetry={refetch} /> : <Skeleton active />}
    </FormModal>
  )
}

type OpenedProps = Props & { view: AllocationView; onPut(): unknown }

function Opened({ view, isMending, onClose, onPut }: OpenedProps) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const { set, change, chosen, choose, tab, show, mend } = useEdited(view, isMending)
  const { put, isPending } = usePutting(view.edition, onPut)
  const notices = useNotices()
  const isChanged = JSON.stringify(set) !== JSON.stringify(view.set)
  /** Only rules that can be in force are asked about; the first that cannot is opened, with the reason. */
  const whenWhole = (go: () => void) => {
    const fault = whyUnfinished(set)
    if (!fault) return go()
    choose(fault.key)
    show('rules')
    notices.failed(undefined, say(fault.code, fault.params))
  }
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
      styles={SCROLLS}
      title={say('allocation')}
      onClose={onClose}
      okText={say('put-in-force')}
      okButtonProps={{ disabled: !isChanged }}
      isChanged={isChanged}
      confirmLoading={isPending}
      onOk={() => whenWhole(() => put(set))}
    >
      <p className="inkstone-note">
        {about}
        {view.note && ` · ${view.note}`}
      </p>
      <Tabs
        activeKey={tab}
        onChange={show}
        items={[
          {
            key: 'rules',
            label: say('rules-tab'),
            children: (
              <RuleEditor
                set={set}
                onChange={change}
                chosen={chosen}
                choose={choose}
                consultants={view.consultants}
                products={view.products}
              />
            ),
          },
          {
            key: 'simulate',
            label: say('simulate-tab'),
            children: <Simulator set={set} firstDay={view.firstDay} whenWhole={whenWhole} />,
          },
          {
            key: 'waiting',
            label: say('waiting-tab', { count: waiting }),
            children: <WaitingLeads groups={view.waiting} onMend={mend} />,
          },
        ]}
      />
    </FormModal>
  )
}
