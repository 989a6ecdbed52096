import { DatePicker, Flex, Input, InputNumber, Select, Switch } from 'antd'
import { type ReactNode, useId, useMemo, useState } from 'react'
import type { OfferedConsultant } from '#areas/sales/consultant/rules.model.ts'
import { MAX_LINES, type RuleLine } from '#engines/allocation/rule.model.ts'
import { dayIn, useDays } from '#kit/page/field/days.ts'
import { useDictionary } from '#kit/page/field/dictionary.ts'
import { FormModal } from '#kit/page/form/form-modal.tsx'
import { useTexts } from '#kit/page/language.ts'
import type { Column } from '#kit/page/lines/column.ts'
import { Lines } from '#kit/page/lines/lines.tsx'
import { area } from '../area.ts'
import type { locale } from './locale.ts'
import type { SaleLine } from './model.ts'
import { usePutting } from './use-putting.page.tsx'

const { name } = area.screens['sale-line']
const MAX_NOTE = 200
const WIDTH = 720

type Props = {
  line: SaleLine
  edition: string | null
  consultants: readonly OfferedConsultant[]
  onClose(): void
}

/** Who gets the leads of one channel: nobody means, whoever the other rules say. */
export function LineForm({ line: { code, lines: before, takers }, edition, consultants, onClose }: Props) {
  const say = useTexts<typeof locale>(name)
  const channel = useDictionary('CHANNEL').find(({ v }) => v === code)?.k ?? code
  const days = useDays()
  const columns = useColumns(consultants)
  const own = takers.find(({ isOwn }) => isOwn)
  const [lines, change] = useState<RuleLine[]>(before)
  const [span, setSpan] = useState({ validFrom: own?.validFrom ?? null, validUntil: own?.validUntil ?? null })
  const [note, setNote] = useState('')
  const { put, isPending, isDone } = usePutting(onClose)
  const isEmpty = lines.length === 0
  const isUnfinished = lines.some(({ staffId }) => staffId === '') || (isEmpty && before.length === 0)
  return (
    <FormModal
      width={WIDTH}
      title={say('set-title', { channel })}
      onClose={onClose}
      isDone={isDone}
      okText={say(isEmpty ? 'put-general' : 'put')}
      okButtonProps={{ disabled: isUnfinished }}
      confirmLoading={isPending}
      onOk={() => put({ code, lines, ...span, note: note.trim(), edition })}
    >
      <p className="inkstone-note">{say('set-help')}</p>
      <Flex vertical gap={16}>
        <Lines
          columns={columns}
          value={lines}
          onChange={change}
          isSorted
          grows={{ blank: blankLine, least: 0, max: MAX_LINES, add: say('line.add') }}
        />
        <Flex wrap gap={16}>
          {(['validFrom', 'validUntil'] as const).map(field => (
            <Labelled key={field} label={say(field)}>
              {id => (
                <DatePicker
                  id={id}
                  value={dayIn(days, span[field] ?? undefined)}
                  onChange={day => setSpan({ ...span, [field]: day?.format('YYYY-MM-DD') ?? null })}
                />
              )}
            </Labelled>
          ))}
        </Flex>
        <Labelled label={say('note')}>
          {id => (
            <Input.TextArea
              id={id}
              maxLength={MAX_NOTE}
              autoSize={{ minRows: 2 }}
              value={note}
              onChange={event => setNote(event.target.value)}
            />
          )}
        </Labelled>
      </Flex>
    </FormModal>
  )
}

const blankLine = (): RuleLine => ({ staffId: '', weight: null, isFallback: false })

function Labelled({ label, children }: { label: string; children(id: string): ReactNode }) {
  const id = useId()
  return (
    <div>
      <label htmlFor={id}>{label}</label>
      <div>{children(id)}</div>
    </div>
  )
}

function useColumns(consultants: readonly OfferedConsultant[]): Column<RuleLine>[] {
  const say = useTexts<typeof locale>(name)
  return useMemo(() => {
    const teams = [...Map.groupBy(consultants, ({ team }) => team)]
    const options = teams.map(([label, people]) => ({
      label,
      options: people.map(({ id, name: called, isOn }) => ({
        value: id,
        label: isOn ? called : say('is-off', { name: called }),
      })),
    }))
    return [
      {
        name: 'staffId',
        title: say('line.staff'),
        cell: ({ value, given, change }) => (
          <Select
            {...given}
            showSearch={{ optionFilterProp: 'label' }}
            style={{ width: '100%' }}
            value={value === '' ? null : value}
            onChange={change}
            options={options}
          />
        ),
      },
      {
        name: 'weight',
        title: say('line.weight'),
        width: 140,
        cell: ({ value, given, change }) => (
          <InputNumber
            {...given}
            min={1}
            max={100}
            precision={0}
            placeholder={say('line.own')}
            style={{ width: '100%' }}
            value={value}
            onChange={next => change(next ?? null)}
          />
        ),
      },
      {
        name: 'isFallback',
        title: say('line.fallback'),
        width: 80,
        cell: ({ value, given: { 'aria-label': label }, change }) => (
          <Switch aria-label={label} checked={value} onChange={change} />
        ),
      },
    ]
  }, [consultants, say])
}
