import { Radio } from 'antd'
import { useMemo } from 'react'
import { useTexts } from '#kit/page/language.ts'
import { picked } from '#kit/page/lines/cells.tsx'
import type { Column } from '#kit/page/lines/column.ts'
import { Lines } from '#kit/page/lines/lines.tsx'
import type { locale } from './locale.ts'
import { type HeldPosition, MAX_POSITIONS, resource } from './model.ts'

type Props = { id?: string; value?: HeldPosition[]; onChange?: (held: HeldPosition[]) => void }

/** What somebody is employed as; choosing another as the primary one makes the first an additional one. */
export function PositionsInput(given: Props) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const columns = useMemo(
    (): Column<HeldPosition>[] => [
      { name: 'positionId', title: say('position.name'), ...picked('position') },
      {
        name: 'isPrimary',
        title: say('position.primary'),
        width: 80,
        cell: ({ value: isPrimary, change, given: { 'aria-label': label } }) => (
          <Radio aria-label={label} checked={isPrimary} onChange={() => change(true)} />
        ),
      },
    ],
    [say],
  )
  return (
    <Lines
      {...given}
      columns={columns}
      settle={next => withOnePrimary(next, given.value ?? [])}
      grows={{ blank: blankPosition, least: 1, max: MAX_POSITIONS, add: say('add-position') }}
    />
  )
}

const blankPosition = (held: readonly HeldPosition[]): HeldPosition => ({
  positionId: '',
  isPrimary: held.length === 0,
})

/** The one that was just made primary; the first where the primary one is gone. */
export function withOnePrimary(next: readonly HeldPosition[], before: readonly HeldPosition[]): HeldPosition[] {
  const isNew = (held: HeldPosition, at: number) => held.isPrimary && before[at]?.isPrimary === false
  const chosen =
    (next.length === before.length ? next.find(isNew) : undefined) ?? next.find(({ isPrimary }) => isPrimary) ?? next[0]
  return next.map(held => (held.isPrimary === (held === chosen) ? held : { ...held, isPrimary: held === chosen }))
}
