import { FileExcelOutlined, InboxOutlined } from '@ant-design/icons'
import { Button, Empty, Pagination, Upload } from 'antd'
import { useState } from 'react'
import { IMPORT_STATES, MAX_IMPORT_ROWS } from '#kit/model/import.ts'
import { Instant } from '../field/show.tsx'
import { useTexts } from '../language.ts'
import { StateTag } from '../tone.tsx'
import type { locale } from './locale.ts'
import { type Batch, type Offer, saveFile, useDeed } from './use-import.ts'

const SHOWN = 10
const ACCEPTED = '.xlsx,.csv,.txt'

type Props = {
  name: string
  offer: Offer | undefined
  current: number
  onPage(current: number): void
  onFile(file: File): Promise<unknown>
  onOpen(id: string): void
}

/** Where a file is given, with the sheet to fill in and what was brought in before. */
export function FileStep({ name, offer, current, onPage, onFile, onOpen }: Props) {
  const say = useTexts<typeof locale>('kit/page/import')
  const act = useDeed(name)
  const [busy, setBusy] = useState(false)
  const send = async (file: File) => {
    setBusy(true)
    await onFile(file)
    setBusy(false)
  }
  return (
    <>
      <Upload.Dragger
        accept={ACCEPTED}
        showUploadList={false}
        height={176}
        disabled={busy}
        beforeUpload={file => {
          void send(file)
          return false
        }}
      >
        <p className="ant-upload-drag-icon">
          <InboxOutlined aria-hidden />
        </p>
        <p className="ant-upload-text">{say('drop')}</p>
        <p className="ant-upload-hint">{say('drop-limits', { rows: MAX_IMPORT_ROWS })}</p>
      </Upload.Dragger>
      <Button
        type="link"
        icon={<FileExcelOutlined aria-hidden />}
        onClick={() => void act(() => saveFile(`/${name}/import/template`))}
      >
        {say('template')}
      </Button>
      <h2 className="inkstone-import-head">{say('earlier')}</h2>
      {offer?.total === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={say('earlier-none')} />}
      <ul className="inkstone-imports">
        {offer?.records.map(batch => (
          <EarlierImport key={batch.id} batch={batch} onOpen={() => onOpen(batch.id)} />
        ))}
      </ul>
      <Pagination
        hideOnSinglePage
        align="end"
        size="small"
        showSizeChanger={false}
        current={current}
        pageSize={SHOWN}
        total={offer?.total ?? 0}
        onChange={onPage}
      />
    </>
  )
}

function EarlierImport({ batch, onOpen }: { batch: Batch; onOpen(): void }) {
  const say = useTexts<typeof locale>('kit/page/import')
  const rows =
    batch.state === 'CHECKED'
      ? `${say('tab-good', { count: batch.goodRows })} · ${say('tab-bad', { count: batch.badRows })}`
      : say('result-rows', { done: batch.doneRows, failed: batch.badRows + batch.failedRows })
  return (
    <li>
      <div>
        {batch.title}
        <small>
          <Instant at={batch.createdAt} /> · {batch.by} · {rows}
        </small>
      </div>
      <StateTag tone={IMPORT_STATES[batch.state]}>{say(`state.${batch.state}`)}</StateTag>
      <Button size="small" onClick={onOpen} aria-label={`${say('open')} ${batch.title}`}>
        {say('open')}
      </Button>
    </li>
  )
}
