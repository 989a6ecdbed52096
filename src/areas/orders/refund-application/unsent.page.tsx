import { Radio, Space, Typography } from 'antd'
import type { InputProps } from '#kit/page/field/input.tsx'
import { formatFen } from '#kit/page/figures.ts'
import { useTexts } from '#kit/page/language.ts'
import type { UnsentChoice, UnsentLine } from './calculation.model.ts'
import type { locale } from './locale.ts'
import { resource } from './model.ts'
import { useSuggestion } from './suggestion.page.tsx'

/** Line by line: do goods that have not left stay here, or leave all the same? Chosen by the amount until somebody says. */
export function UnsentInput({ value = [], onChange }: InputProps<UnsentLine[]>) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const lines = useSuggestion()?.lines.filter(({ unsent }) => unsent !== null) ?? []
  if (lines.length === 0) return <Typography.Text type="secondary">{say('unsent.none')}</Typography.Text>
  const choose = (lineId: string, choice: UnsentChoice) =>
    onChange?.([...value.filter(line => line.lineId !== lineId), { lineId, choice }])
  return (
    <Space orientation="vertical" style={{ width: '100%' }}>
      {lines.map(({ lineId, name, unsent, unsentPieces: pieces, unsentFen }) => (
        <div key={lineId}>
          <div>{say('unsent.pieces', { name, pieces, amount: formatFen(unsentFen) })}</div>
          <Radio.Group
            aria-label={name}
            value={unsent}
            onChange={event => choose(lineId, event.target.value)}
            options={(['CANCEL', 'SEND'] as const).map(choice => ({ value: choice, label: say(`unsent.${choice}`) }))}
          />
        </div>
      ))}
    </Space>
  )
}
