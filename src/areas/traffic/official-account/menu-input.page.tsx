import { Input, Select } from 'antd'
import { useMemo } from 'react'
import { useTexts } from '#kit/page/language.ts'
import { words } from '#kit/page/lines/cells.tsx'
import type { Column } from '#kit/page/lines/column.ts'
import { Lines } from '#kit/page/lines/lines.tsx'
import type { locale } from './locale.ts'
import { MAX_LINES, type MenuLine } from './menu.model.ts'
import { Menu } from './menu.page.tsx'
import { resource } from './model.ts'

type Props = { id?: string; value?: MenuLine[]; onChange?: (lines: MenuLine[]) => void }

const LEVELS = ['TOP', 'SUB'] as const
const ACTIONS = ['OPEN', 'VIEW', 'CLICK'] as const

/** The entries of a menu, each of the second level behind the one it opens from; below it how it looks. */
export function MenuInput(given: Props) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const columns = useMemo(
    (): Column<MenuLine>[] => [
      {
        name: 'level',
        title: say('menu.level'),
        width: 120,
        cell: ({ value, given: input, change }) => (
          <Select
            {...input}
            value={value}
            onChange={change}
            options={LEVELS.map(level => ({ value: level, label: say(`level.${level}`) }))}
            style={{ width: '100%' }}
          />
        ),
      },
      { name: 'name', title: say('menu.name'), width: 160, ...words(16) },
      {
        name: 'action',
        title: say('menu.action'),
        width: 140,
        cell: ({ value, given: input, set }) => (
          <Select
            {...input}
            value={value}
            onChange={action => set(action === 'OPEN' ? { action, value: '' } : { action })}
            options={ACTIONS.map(action => ({ value: action, label: say(`action.${action}`) }))}
            style={{ width: '100%' }}
          />
        ),
      },
      {
        name: 'value',
        title: say('menu.value'),
        cell: ({ line, value, given: input, change }) => (
          <Input
            {...input}
            value={value}
            disabled={line.action === 'OPEN'}
            placeholder={say(`value.${line.action}`)}
            maxLength={1_000}
            onChange={event => change(event.target.value)}
          />
        ),
      },
    ],
    [say],
  )
  const blank = (lines: readonly MenuLine[]): MenuLine => ({
    level: lines.length === 0 ? 'TOP' : 'SUB',
    name: '',
    action: 'VIEW',
    value: '',
  })
  return (
    <>
      <Lines {...given} columns={columns} isSorted grows={{ blank, max: MAX_LINES, add: say('add-entry') }} />
      <Menu lines={given.value ?? []} />
    </>
  )
}
