import { Input, Select } from 'antd'
import { useMemo } from 'react'
import { useTexts } from '#kit/page/language.ts'
import { whole, words } from '#kit/page/lines/cells.tsx'
import type { Column } from '#kit/page/lines/column.ts'
import { Lines } from '#kit/page/lines/lines.tsx'
import type { locale } from './locale.ts'
import { resource } from './model.ts'
import { MAX_REPLIES, type ReplyLine } from './replies.model.ts'

type Props = { id?: string; value?: ReplyLine[]; onChange?: (replies: ReplyLine[]) => void }

const MATCHES = ['EXACT', 'CONTAINS'] as const
const MOST_WORDS = 600

/** Words with what is answered to them. */
export function RepliesInput(given: Props) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const columns = useMemo(
    (): Column<ReplyLine>[] => [
      { name: 'keyword', title: say('reply.keyword'), width: 140, ...words(50) },
      {
        name: 'match',
        title: say('reply.match'),
        width: 120,
        cell: ({ value, given: input, change }) => (
          <Select
            {...input}
            value={value}
            onChange={change}
            options={MATCHES.map(match => ({ value: match, label: say(`match.${match}`) }))}
            style={{ width: '100%' }}
          />
        ),
      },
      { name: 'priority', title: say('reply.priority'), width: 88, ...whole({ min: 0, max: 99 }) },
      {
        name: 'reply',
        title: say('reply.reply'),
        cell: ({ value, given: input, change }) => (
          <Input.TextArea
            {...input}
            value={value}
            maxLength={MOST_WORDS}
            autoSize={{ minRows: 1, maxRows: 6 }}
            onChange={event => change(event.target.value)}
          />
        ),
      },
    ],
    [say],
  )
  const blank = (): ReplyLine => ({ keyword: '', match: 'EXACT', priority: 0, reply: '' })
  return <Lines {...given} columns={columns} isSorted grows={{ blank, max: MAX_REPLIES, add: say('add-reply') }} />
}
