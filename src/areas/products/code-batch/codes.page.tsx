import { DownloadOutlined } from '@ant-design/icons'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, Empty, Segmented, Space, Table, Tooltip, Typography } from 'antd'
import { useState } from 'react'
import { PAGE_SIZES, type Paged } from '#kit/model/contract.ts'
import type { Label } from '#kit/model/resource.ts'
import { downloadOf, get, save } from '#kit/page/call.ts'
import { Instant, MISSING, ReferenceLabel } from '#kit/page/field/show.tsx'
import { useTexts } from '#kit/page/language.ts'
import { useReload } from '#kit/page/list/list-state.ts'
import { LoadFailed } from '#kit/page/load-failed.tsx'
import type { locale as kitLocale } from '#kit/page/locale.ts'
import { useNotices } from '#kit/page/notice.tsx'
import { useQuestion } from '#kit/page/question.ts'
import { StateTag } from '#kit/page/tone.tsx'
import { mayDo, useUser } from '#kit/page/user.ts'
import type { locale } from './locale.ts'
import { CODE_STATES, type CodeBatch, type CodeState, resource, whyNotExport } from './model.ts'

type Code = { id: string; last4: string; status: CodeState; member: Label | null; redeemedAt: string | null }

const STATES = ['all', ...Object.keys(CODE_STATES)] as ('all' | CodeState)[]
/** How often a batch that is being made is looked at. */
const MAKING_MS = 2_000

/** The codes of a batch, by their last four characters, and the file of all of them. */
export function Codes({ row: batch }: { row: CodeBatch }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const reload = useReload(resource)
  const [page, setPage] = useState<{ current: number; size: number }>({ current: 1, size: PAGE_SIZES[0] })
  const [state, setState] = useState<'all' | CodeState>('all')
  const query = { ...page, ...(state === 'all' ? {} : { status: state }) }
  const making = batch.status !== 'DRAFT' && batch.status !== 'CLOSED' && batch.made < batch.quantity
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [resource.screen.name, 'codes', batch.id, query],
    queryFn: async ({ signal }) => {
      const codes = await get<Paged<Code>>(`/${resource.screen.name}/${batch.id}/codes`, { query, signal })
      if (making && codes.total >= batch.quantity) reload()
      return codes
    },
    placeholderData: keepPreviousData,
    refetchInterval: making ? MAKING_MS : false,
  })
  if (error && !data) return <LoadFailed error={error} onRetry={refetch} />
  return (
    <>
      <Space wrap style={{ display: 'flex', justifyContent: 'space-between', marginBottom: 12 }}>
        <Space>
          <Segmented
            value={state}
            options={STATES.map(value => ({ value, label: say(`code.${value}`) }))}
            onChange={chosen => {
              setState(chosen)
              setPage({ ...page, current: 1 })
            }}
          />
          {making && (
            <Typography.Text type="secondary">
              {say('made-of', { made: data?.total ?? batch.made, quantity: batch.quantity })}
            </Typography.Text>
          )}
        </Space>
        <ExportCodes batch={batch} />
      </Space>
      <Table<Code>
        size="small"
        rowKey="id"
        loading={isPending}
        dataSource={data?.records ?? []}
        locale={{ emptyText: <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={say('codes-empty')} /> }}
        pagination={{
          current: page.current,
          pageSize: page.size,
          total: data?.total ?? 0,
          showSizeChanger: true,
          pageSizeOptions: [...PAGE_SIZES],
          onChange: (current, size) => setPage({ current, size }),
        }}
        columns={[
          {
            dataIndex: 'last4',
            title: say('code.last4'),
            render: last4 => <span className="inkstone-code">…{last4}</span>,
          },
          {
            dataIndex: 'status',
            title: say('code.status'),
            render: (value: CodeState) => <StateTag tone={CODE_STATES[value]}>{say(`code.${value}`)}</StateTag>,
          },
          {
            dataIndex: 'member',
            title: say('code.member'),
            render: member => (member ? <ReferenceLabel label={member} /> : MISSING),
          },
          {
            dataIndex: 'redeemedAt',
            title: say('code.redeemedAt'),
            render: at => (at ? <Instant at={at} /> : MISSING),
          },
        ]}
      />
    </>
  )
}

/** The one file of plain codes; closed, with the reason, for everybody but the person it went to. */
function ExportCodes({ batch }: { batch: CodeBatch }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const kit = useTexts<typeof kitLocale>('kit/page')
  const user = useUser()
  const ask = useQuestion()
  const notices = useNotices()
  const reload = useReload(resource)
  if (!mayDo(user, resource.screen.key, 'exportCodes')) return null
  const refusal = whyNotExport(batch, { id: user.info?.id ?? '' })
  const run = async () => {
    try {
      const answer = await downloadOf(`/${resource.screen.name}/${batch.id}/export-codes`, {})
      if ('file' in answer) save(answer.file, answer.name)
    } catch (error) {
      notices.failed(error, kit('load-failed'))
      throw error
    } finally {
      reload()
    }
  }
  return (
    <Tooltip title={refusal && say(refusal.code as 'own-batch', refusal.params)}>
      <Button
        icon={<DownloadOutlined aria-hidden />}
        disabled={refusal !== undefined}
        onClick={() =>
          ask({
            title: say('step.exportCodes'),
            content: say('ask.exportCodes'),
            okText: say('step.exportCodes'),
            cancelText: kit('cancel'),
            onOk: run,
          })
        }
      >
        {say('step.exportCodes')}
      </Button>
    </Tooltip>
  )
}
