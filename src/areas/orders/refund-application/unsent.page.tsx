import { Radio, Typography } from 'antd'
import { useMemo } from 'react'
import type { InputProps } from '#kit/page/field/input.tsx'
import { formatYuan } from '#kit/page/figures.ts'
import { useTexts } from '#kit/page/language.ts'
import type { Column } from '#kit/page/lines/column.ts'
import { Lines } from '#kit/page/lines/lines.tsx'
import type { SuggestedLine, UnsentLine } from './calculation.model.ts'
import type { locale } from './locale.ts'
import { resource } from './model.ts'
import { useSuggestion } from './suggestion.page.tsx'

/** Line by line: do goods that have not left stay here, or leave all the same? Chosen by the amount until somebody says. */
export function UnsentInput({ value = [], onChange, ...given }: InputProps<UnsentLine[]>) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const columns = useMemo(
    (): Column<SuggestedLine>[] => [
      { name: 'name', title: say('unsent.name'), tell: ({ name }) => name },
      { name: 'unsentPieces', title: say('unsent.pieces'), width: 72, isFigure: true, tell: line => line.unsentPieces },
      {
        name: 'unsentFen',
        title: `${say('unsent.worth')} (¥)`,
        width: 96,
        isFigure: true,
        tell: ({ unsentFen }) => formatYuan(unsentFen),
      },
      {
        name: 'unsent',
        title: say('unsent.choice'),
        label: ({ name }) => name,
        cell: ({ value: choice, given: { 'aria-label': name }, change }) => (
          <Radio.Group
            aria-label={name}
            value={choice}
            onChange={event => change(event.target.value)}
            options={(['CANCEL', 'SEND'] as const).map(option => ({ value: option, label: say(`unsent.${option}`) }))}
          />
        ),
      },
    ],
    [say],
  )
  const lines = useSuggestion().data?.lines.filter(({ unsent }) => unsent !== null) ?? []
  if (lines.length === 0) return <Typography.Text type="secondary">{say('unsent.none')}</Typography.Text>
  const choose = (next: readonly SuggestedLine[]) => {
    const chosen = next.flatMap(({ lineId, unsent }, at) =>
      unsent !== null && unsent !== lines[at]?.unsent ? [{ lineId, choice: unsent }] : [],
    )
    const ids = new Set(chosen.map(({ lineId }) => lineId))
    onChange?.([...value.filter(({ lineId }) => !ids.has(lineId)), ...chosen])
  }
  return <Lines {...given} value={lines} onChange={choose} columns={columns} />
}
