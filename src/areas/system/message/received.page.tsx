import { Space } from 'antd'
import { useEffect, useState } from 'react'
import type { Resource, RowOf } from '#kit/model/resource.ts'
import { SmallTable } from '#kit/page/detail/small-table.tsx'
import { Instant, Show } from '#kit/page/field/show.tsx'
import { useTexts } from '#kit/page/language.ts'
import { useRows } from '#kit/page/list/list-state.ts'
import { LoadFailed } from '#kit/page/load-failed.tsx'
import { recordPath } from '#kit/page/screens.ts'
import { mayDo, useUser } from '#kit/page/user.ts'
import type { locale } from './locale.ts'
import { resource, whyNotReceived } from './model.ts'

type MessageRow = RowOf<typeof resource> & RowOf<Resource> & { readonly id: string }

const SIZE = 10
/** Waits for a provider, or for its hour: how it ends may be told of by nothing but the list. */
const UNDER_WAY: ReadonlySet<string> = new Set<MessageRow['status']>(['SCHEDULED', 'SENDING', 'UNKNOWN'])
const UNDER_WAY_MS = 5_000

/** What a member was told, and why it may not have come: whoever is asked on the telephone reads the answer here. */
export function Received({ memberId }: { memberId: string }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const mayOpen = useUser(user => mayDo(user, resource.screen.key, 'detail'))
  const [current, setCurrent] = useState(1)
  const asked = { current, size: SIZE, sort: undefined, query: '', filters: { memberId: [memberId] } }
  const [isUnderWay, setUnderWay] = useState(false)
  const { data, error, refetch } = useRows(resource, asked, true, isUnderWay && UNDER_WAY_MS)
  const rows = data?.records as MessageRow[] | undefined
  const waits = rows?.some(({ status }) => UNDER_WAY.has(status)) ?? false
  useEffect(
    function lookAgainWhileUnderWay() {
      setUnderWay(waits)
    },
    [waits],
  )
  if (error && !data) return <LoadFailed error={error} onRetry={refetch} />
  return (
    <SmallTable<MessageRow>
      rows={rows}
      page={{ current, size: SIZE, total: data?.total ?? 0, onChange: setCurrent }}
      columns={[
        {
          key: 'title',
          title: say('field.title'),
          render: (_, row) => (
            <Space orientation="vertical" size={0}>
              {mayOpen ? <a href={`#${recordPath(resource.screen.route, row.id)}`}>{row.title}</a> : row.title}
              <span className="inkstone-note">
                <Show resource={resource} field="channel" row={row} /> · <Instant at={row.createdAt} />
              </span>
            </Space>
          ),
        },
        {
          key: 'templateId',
          title: say('field.templateId'),
          render: (_, row) => <Show resource={resource} field="templateId" row={row} brief />,
        },
        {
          key: 'status',
          title: say('field.status'),
          render: (_, row) => <Show resource={resource} field="status" row={row} brief />,
        },
        {
          key: 'why',
          title: say('field.why'),
          // A sentence, however long: it breaks instead of widening the table.
          render: (_, row) => (
            <div style={{ minWidth: 200, maxWidth: 380, whiteSpace: 'normal' }}>
              <Why of={row} />
            </div>
          ),
        },
      ]}
    />
  )
}

function Why({ of }: { of: MessageRow }) {
  const say = useTexts(resource.screen.name)
  const { code, params = {} } = whyNotReceived(of)
  // What a code failed by is named by its own text.
  const { cause } = params
  return say(code, cause === undefined ? params : { ...params, cause: say(String(cause)) })
}
