import { Table, Tag } from 'antd'
import { MISSING } from '#kit/page/field/show.tsx'
import { useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'
import { resource } from './model.ts'
import type { ReplyLine } from './replies.model.ts'

/** What is answered to which word, in the order people entered it. */
export function Replies({ replies }: { replies: readonly ReplyLine[] }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  if (replies.length === 0) return MISSING
  return (
    <Table<ReplyLine>
      size="small"
      rowKey={line => replies.indexOf(line)}
      dataSource={[...replies]}
      pagination={{ pageSize: 10, hideOnSinglePage: true, showSizeChanger: false, size: 'small' }}
      columns={[
        { dataIndex: 'keyword', title: say('reply.keyword'), width: 140 },
        {
          dataIndex: 'match',
          title: say('reply.match'),
          width: 110,
          render: (match: ReplyLine['match']) => <Tag>{say(`match.${match}`)}</Tag>,
        },
        { dataIndex: 'priority', title: say('reply.priority'), align: 'right', width: 84 },
        { dataIndex: 'reply', title: say('reply.reply'), render: (reply: string) => <Said>{reply}</Said> },
      ]}
    />
  )
}

/** In the lines it is sent in. */
const Said = ({ children }: { children: string }) => (
  <span style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{children}</span>
)
