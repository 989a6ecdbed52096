import { DatePicker, Flex, Input } from 'antd'
import { type ReactNode, useId, useState } from 'react'
import type { OfferedConsultant } from '#areas/sales/consultant/rules.model.ts'
import type { RuleLine } from '#engines/allocation/rule.model.ts'
import { RuleLines } from '#engines/allocation/rule-lines.page.tsx'
import { dayIn, useDays } from '#kit/page/field/days.ts'
import { useDictionary } from '#kit/page/field/dictionary.ts'
import { FormModal } from '#kit/page/form/form-modal.tsx'
import { useTexts } from '#kit/page/language.ts'
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
        <RuleLines value={lines} least={0} people={consultants} onChange={change} />
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

function Labelled({ label, children }: { label: string; children(id: string): ReactNode }) {
  const id = useId()
  return (
    <div>
      <label htmlFor={id}>{label}</label>
      <div>{children(id)}</div>
    </div>
  )
}
