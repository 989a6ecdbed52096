import { Button, Progress, Result } from 'antd'
import { useState } from 'react'
import { isUnderWay } from '#kit/model/import.ts'
import { post } from '../call.ts'
import { useTexts } from '../language.ts'
import { useQuestion } from '../question.ts'
import type { locale } from './locale.ts'
import { ImportRows } from './preview-step.tsx'
import { type Batch, saveFile, useDeed } from './use-import.ts'

type Props = { name: string; batch: Batch; mayUndo: boolean; onLeave(): void }

/** How the import goes or went, with the rows left out and the way back. */
export function ResultStep({ name, batch, mayUndo, onLeave }: Props) {
  const say = useTexts<typeof locale>('kit/page/import')
  const left = batch.badRows + batch.failedRows + (batch.state === 'STOPPED' ? notRun(batch) : 0)
  if (isUnderWay(batch.state)) return <UnderWay name={name} batch={batch} />
  return (
    <>
      <Result
        status={batch.state === 'STOPPED' ? 'warning' : batch.state === 'UNDONE' ? 'info' : 'success'}
        title={say(`state.${batch.state}`)}
        subTitle={`${batch.title} · ${say('result-rows', { done: batch.doneRows, failed: left })}`}
        extra={<ResultActions name={name} batch={batch} left={left} mayUndo={mayUndo} onLeave={onLeave} />}
      />
      {batch.isMine && batch.badRows + batch.failedRows > 0 && (
        <ImportRows name={name} id={batch.id} kind="bad" total={batch.badRows + batch.failedRows} />
      )}
    </>
  )
}

const notRun = ({ goodRows, doneRows, failedRows }: Batch): number => goodRows - doneRows - failedRows

function UnderWay({ name, batch }: { name: string; batch: Batch }) {
  const say = useTexts<typeof locale>('kit/page/import')
  const act = useDeed(name)
  const [busy, setBusy] = useState(false)
  const percent = Math.min(100, Math.floor((batch.progress / Math.max(1, batch.goodRows)) * 100))
  const stop = async () => {
    setBusy(true)
    await act(() => post(`/common/task/${batch.taskId}/cancel`))
    setBusy(false)
  }
  return (
    <Result
      icon={<Progress type="circle" percent={percent} aria-label={say(`state.${batch.state}`)} />}
      title={say(`state.${batch.state}`)}
      subTitle={say('under-way', { done: batch.progress })}
      extra={
        batch.taskId !== null && (
          <Button loading={busy} onClick={() => void stop()}>
            {say('stop')}
          </Button>
        )
      }
    />
  )
}

function ResultActions({ name, batch, left, mayUndo, onLeave }: Props & { left: number }) {
  const say = useTexts<typeof locale>('kit/page/import')
  const act = useDeed(name)
  const ask = useQuestion()
  const path = `/${name}/import/${batch.id}`
  const undo = () =>
    ask({
      title: say('undo-ask', { count: batch.doneRows }),
      content: say('undo-what'),
      okText: say('undo'),
      okButtonProps: { danger: true },
      onOk: () => act(() => post(`${path}/undo`)),
    })
  return (
    <>
      {batch.state === 'STOPPED' && batch.isMine && notRun(batch) > 0 && (
        <Button type="primary" onClick={() => void act(() => post(`${path}/run`))}>
          {say('resume')}
        </Button>
      )}
      {left > 0 && batch.isMine && (
        <Button onClick={() => void act(() => saveFile(`${path}/errors`))}>{say('error-file')}</Button>
      )}
      {mayUndo && batch.doneRows > 0 && batch.state !== 'UNDONE' && (
        <Button danger onClick={undo}>
          {say('undo')}
        </Button>
      )}
      <Button onClick={onLeave}>{say('again')}</Button>
    </>
  )
}
