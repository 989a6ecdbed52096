import { Select } from 'antd'
import { useMemo } from 'react'
import { MAX_VARIABLES, VARIABLE_KINDS } from '#engines/message/model.ts'
import { useTexts } from '#kit/page/language.ts'
import { words } from '#kit/page/lines/cells.tsx'
import type { Column } from '#kit/page/lines/column.ts'
import { Lines } from '#kit/page/lines/lines.tsx'
import type { locale } from './locale.ts'
import { type MessageTemplate, resource } from './model.ts'

type Variable = MessageTemplate['variables'][number]
type Props = { id?: string; value?: Variable[]; onChange?: (variables: Variable[]) => void }

/** The holes of the text: what each is called, what fills it, and what it looks like filled. */
export function VariablesInput(given: Props) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const columns = useMemo(
    (): Column<Variable>[] => [
      { name: 'name', title: say('variable.name'), ...words(30) },
      {
        name: 'kind',
        title: say('variable.kind'),
        width: 120,
        cell: ({ value, given: input, change }) => (
          <Select
            {...input}
            value={value}
            onChange={change}
            options={VARIABLE_KINDS.map(kind => ({ value: kind, label: say(`variable.${kind}`) }))}
            style={{ width: '100%' }}
          />
        ),
      },
      { name: 'sample', title: say('variable.sample'), ...words(100) },
    ],
    [say],
  )
  return (
    <Lines
      {...given}
      columns={columns}
      grows={{
        blank: (): Variable => ({ name: '', kind: 'TEXT', sample: '' }),
        max: MAX_VARIABLES,
        add: say('add-variable'),
      }}
    />
  )
}
