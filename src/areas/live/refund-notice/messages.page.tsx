import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Empty, Modal, Pagination, Skeleton, Tabs } from 'antd'
import { type ReactNode, useState } from 'react'
import { DEFAULT_PAGE_SIZE, type Paged } from '#kit/model/contract.ts'
import { get } from '#kit/page/call.ts'
import { Code, Instant } from '#kit/page/field/show.tsx'
import { useTexts } from '#kit/page/language.ts'
import { useNotices } from '#kit/page/notice.tsx'
import { REFUND_NOTICES } from '#kit/page/shell/live/push-notice.ts'
import { StateTag } from '#kit/page/tone.tsx'
import type { locale } from './locale.ts'
import './messages.css'

type Status = 'UNREAD' | 'READ'
type Notice = {
  id: string
  content: string
  registered: boolean
  createdAt: string
  processedAt: string | null
  processedBy: string | null
}

const WIDTH = 800

/** Spec §2: refund notices, unprocessed and processed. Processing one clears it for everybody. */
export function Messages({ open, onClose }: { open: boolean; onClose(): void }) {
  const say = useTexts<typeof locale>('live/refund-notice')
  const [status, setStatus] = useState<Status>('UNREAD')
  return (
    <Modal open={open} onCancel={onClose} width={WIDTH} footer={null} title={say('refund-info')}>
      <Tabs
        activeKey={status}
        onChange={key => setStatus(key as Status)}
        destroyOnHidden
        items={[
          { key: 'UNREAD', label: say('unprocessed'), children: <NoticeList status="UNREAD" /> },
          { key: 'READ', label: say('processed'), children: <NoticeList status="READ" /> },
        ]}
      />
    </Modal>
  )
}

function NoticeList({ status }: { status: Status }) {
  const say = useTexts<typeof locale>('live/refund-notice')
  const [current, setCurrent] = useState(1)
  const { data, isError, refetch } = useQuery({
    queryKey: [REFUND_NOTICES, 'page', status, current],
    queryFn: ({ signal }) =>
      get<Paged<Notice>>('/message/web/page', { query: { current, size: DEFAULT_PAGE_SIZE, status }, signal }),
    placeholderData: keepPreviousData,
  })
  if (isError) {
    return (
      <p role="alert">
        {say('load-failed')} <Button onClick={() => void refetch()}>{say('try-again')}</Button>
      </p>
    )
  }
  if (!data) return <Skeleton active title={false} />
  if (data.total === 0)
    return (
      <Empty
        image={Empty.PRESENTED_IMAGE_SIMPLE}
        description={say(status === 'UNREAD' ? 'empty-unprocessed' : 'empty-processed')}
      />
    )
  return (
    <>
      <ul className="ink-notices">
        {data.records.map(notice => (
          <NoticeRow key={notice.id} notice={notice} isOpen={status === 'UNREAD'} />
        ))}
      </ul>
      <Pagination
        align="end"
        size="small"
        hideOnSinglePage
        showSizeChanger={false}
        current={current}
        pageSize={DEFAULT_PAGE_SIZE}
        total={data.total}
        onChange={setCurrent}
      />
    </>
  )
}

function NoticeRow({ notice, isOpen }: { notice: Notice; isOpen: boolean }) {
  const say = useTexts<typeof locale>('live/refund-notice')
  const { pId, leadMobile, mobilePhone } = readNotice(notice.content)
  const client = useQueryClient()
  const notices = useNotices()
  const processing = useMutation({
    mutationFn: () => get(`/message/app/read/${notice.id}`),
    onSuccess: () => notices.done(say('marked-ok')),
    onError: error => notices.failed(error, say('load-failed')),
    onSettled: () => client.invalidateQueries({ queryKey: [REFUND_NOTICES] }),
  })
  return (
    <li>
      <dl>
        <Fact name={say('order-no')}>{pId ? <Code>{pId}</Code> : '–'}</Fact>
        <Fact name={say('lead-phone')}>{leadMobile ?? '–'}</Fact>
        <Fact name={say('phone')}>{mobilePhone ?? '–'}</Fact>
        <Fact name={say('time')}>
          <Instant at={notice.createdAt} />
        </Fact>
      </dl>
      <StateTag tone={notice.registered ? 'done' : 'idle'}>
        {say(notice.registered ? 'registered' : 'unregistered')}
      </StateTag>
      {isOpen ? (
        <Button type="link" loading={processing.isPending} onClick={() => processing.mutate()}>
          {say('mark-processed')}
        </Button>
      ) : (
        <span className="ink-processed">
          {notice.processedBy ?? '–'} {notice.processedAt && <Instant at={notice.processedAt} />}
        </span>
      )}
    </li>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

type Content = { pId?: string; leadMobile?: string | null; mobilePhone?: string | null }

/** Spec §3: a JSON string; whatever cannot be read is shown as missing. */
function readNotice(content: string): Content {
  try {
    return (JSON.parse(content) as Content | null) ?? {}
  } catch {
    return {}
  }
}
