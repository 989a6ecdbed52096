import { Button, Input, Space, Tooltip } from 'antd'
import { useRef } from 'react'
import type { Resource } from '#kit/model/resource.ts'
import type { Workflow } from '#kit/model/workflow.ts'
import { post } from './call.ts'
import { useTexts } from './language.ts'
import type { Row } from './list/list-state.ts'
import type { locale } from './locale.ts'
import { useNotices } from './notice.ts'
import { useQuestion } from './question.ts'

/** A workflow of any slice: the page shows its steps and never asks its guards, the server does. */
export type AnyWorkflow = Workflow<never, never>
export type StepResult = { id: string; result: 'done' | 'refused'; msg: string | null }

/** Asks before a step, with its reason where it needs one, and takes it: for one row, or for many with a result each. */
export function useSteps(
  resource: Resource,
  workflow: AnyWorkflow | undefined,
  on: { done(results?: StepResult[]): void; refused(): void },
) {
  const kit = useTexts<typeof locale>('kit/page')
  const say = useTexts(resource.screen.name)
  const ask = useQuestion()
  const notices = useNotices()
  const reason = useRef('')

  const take = async (name: string, ids: readonly string[]) => {
    const body = workflow?.steps[name]?.reason ? { reason: reason.current.trim() } : {}
    const path = `/${resource.screen.name}`
    try {
      if (ids.length === 1) {
        await post(`${path}/${ids[0]}/${name}`, body)
        notices.done(kit('submitted-ok'))
        on.done()
      } else {
        on.done(await post<StepResult[]>(`${path}/steps/${name}`, { ids, ...body }))
      }
    } catch (error) {
      notices.failed(error, kit('submit-failed'))
      // A refused step usually means the row has moved on: show how it stands now, and keep the question with its reason.
      on.refused()
      throw error
    }
  }

  return (name: string, ids: readonly string[]) => {
    const step = workflow?.steps[name]
    const label = say(`step.${name}` as never)
    reason.current = ''
    const question = ask({
      title: ids.length === 1 ? label : `${label} · ${kit('selected', { count: ids.length })}`,
      content: (
        <>
          <p>{say(`ask.${name}` as never)}</p>
          {step?.reason && (
            <Input.TextArea
              aria-label={kit('reason')}
              placeholder={kit('reason')}
              maxLength={200}
              showCount
              // Room for the count, which stands below the box.
              style={{ marginBottom: 24 }}
              onChange={event => {
                reason.current = event.target.value
                question.update(before => ({
                  ...before,
                  okButtonProps: { danger: step.danger, disabled: event.target.value.trim() === '' },
                }))
              }}
            />
          )}
        </>
      ),
      okText: label,
      okButtonProps: { danger: step?.danger ?? false, disabled: step?.reason ?? false },
      cancelText: kit('cancel'),
      onOk: () => take(name, ids),
    })
  }
}

/** All steps the person holds, as buttons: a closed one stays visible, with its reason. */
export function StepButtons({
  resource,
  workflow,
  row,
  onStep,
}: {
  resource: Resource
  workflow: AnyWorkflow
  row: Row
  onStep(name: string): void
}) {
  const say = useTexts(resource.screen.name)
  const held = Object.keys(workflow.steps).filter(name => name in row.steps)
  const firstOpen = held.find(name => row.steps[name] === null && !workflow.steps[name]?.danger)
  return (
    <Space wrap>
      {held.map(name => {
        const refusal = row.steps[name]
        return (
          <Tooltip key={name} title={refusal?.msg}>
            <Button
              type={name === firstOpen ? 'primary' : 'default'}
              danger={workflow.steps[name]?.danger ?? false}
              disabled={refusal != null}
              onClick={() => onStep(name)}
            >
              {say(`step.${name}` as never)}
            </Button>
          </Tooltip>
        )
      })}
    </Space>
  )
}
