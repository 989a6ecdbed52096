import { Alert, Skeleton, Steps } from 'antd'
import { useState } from 'react'
import type { ImportState } from '#kit/model/import.ts'
import { upload } from '../call.ts'
import { hasText, useTexts } from '../language.ts'
import { LoadFailed } from '../load-failed.tsx'
import { SideDrawer } from '../side-drawer.tsx'
import { type Asked, ColumnsStep } from './columns-step.tsx'
import { FileStep } from './file-step.tsx'
import type { locale } from './locale.ts'
import { PreviewStep } from './preview-step.tsx'
import { ResultStep } from './result-step.tsx'
import { type Uploaded, useBatch, useDeed, useOffer } from './use-import.ts'
import './import.css'

const WIDTH = 960
const AT: Readonly<Record<ImportState, number>> = {
  UPLOADED: 1,
  CHECKING: 1,
  CHECKED: 2,
  RUNNING: 3,
  STOPPED: 3,
  DONE: 3,
  UNDOING: 3,
  UNDONE: 3,
}

type ImportDrawerProps = { name: string; mayUndo: boolean; asked?: Asked; open: boolean; onClose(): void }

/** The way of a file: sent, its columns named, checked, looked at, applied. Closed and opened again, it is where it was. */
export function ImportDrawer({ name, mayUndo, asked, open, onClose }: ImportDrawerProps) {
  const say = useTexts<typeof locale>('kit/page/import')
  const slice = useTexts(name)
  const [current, setCurrent] = useState(1)
  const [id, setId] = useState<string>()
  const [sent, setSent] = useState<Uploaded>()
  const [isBack, setBack] = useState(false)
  const offer = useOffer(name, current, open && id === undefined)
  const { data: batch, error, refetch } = useBatch(name, open ? id : undefined)
  const act = useDeed(name)
  const columns = offer.data?.columns

  const send = (file: File) =>
    act(async () => {
      const answer = await upload<Uploaded>(`/${name}/import`, file)
      setSent(answer)
      setId(answer.id)
    })
  const leave = () => {
    setId(undefined)
    setSent(undefined)
    setBack(false)
  }
  const at = id === undefined ? 0 : isBack ? 1 : batch ? AT[batch.state] : 1
  const body = () => {
    if (offer.isError) return <LoadFailed error={offer.error} onRetry={offer.refetch} />
    if (error) return <LoadFailed error={error} onRetry={refetch} />
    if (!columns || (id !== undefined && !batch)) return <Skeleton active />
    if (!batch || id === undefined)
      return (
        <FileStep name={name} offer={offer.data} current={current} onPage={setCurrent} onFile={send} onOpen={setId} />
      )
    if (at === 1 && sent)
      return (
        <ColumnsStep
          key={sent.id}
          name={name}
          columns={columns}
          {...(asked && { asked })}
          sent={sent}
          batch={batch}
          onChecked={() => setBack(false)}
        />
      )
    if (at === 2)
      return <PreviewStep name={name} batch={batch} onBack={sent && (() => setBack(true))} onLeave={leave} />
    return <ResultStep name={name} batch={batch} mayUndo={mayUndo && (offer.data?.canUndo ?? false)} onLeave={leave} />
  }
  return (
    <SideDrawer
      open={open}
      size={WIDTH}
      onClose={onClose}
      title={say('title', { what: slice(hasText(name, 'imported') ? 'imported' : 'record') })}
    >
      <Steps
        size="small"
        current={at}
        style={{ marginBottom: 24 }}
        items={(['step-file', 'step-columns', 'step-preview', 'step-result'] as const).map(step => ({
          title: say(step),
        }))}
      />
      {batch?.error && <Alert type="error" showIcon title={batch.error} style={{ marginBottom: 16 }} />}
      {body()}
    </SideDrawer>
  )
}
