import { Button, Input, Skeleton, Tooltip } from 'antd'
import { lazy, type ReactNode, Suspense, useRef } from 'react'
import type { Resource } from '#kit/model/resource.ts'
import type { Workflow } from '#kit/model/workflow.ts'
import { CallFailed, post } from './call.ts'
import type { Inputs, IsShown } from './form/fields.tsx'
import type { StepForm } from './form/step-fields.tsx'
import { useTexts } from './language.ts'
import type { Row } from './list/list-state.ts'
import type { locale } from './locale.ts'
import { useNotices } from './notice.ts'
import { useQuestion } from './question.ts'

/** A workflow of any slice: the page shows its steps and never asks its guards, the server does. */
export type AnyWorkflow = Workflow<never, never>
export type StepResult = { id: string; result: 'done' | 'refused'; msg: string | null }

export type StepOptions = {
  done(results?: StepResult[]): void
  refused(): void
  /** Inputs of its own, by field. */
  inputs: Inputs
  isShown: IsShown
}

// Few steps ask for more than a reason: forms come when one does.
const StepFields = lazy(async () => ({ default: (await import('./form/step-fields.tsx')).StepFields }))

/** Asks before a step, with what it needs to know, and takes it: for one row, or for many with a result each. */
export function useSteps(resource: Resource, workflow: AnyWorkflow | undefined, options: StepOptions) {
  const kit = useTexts<typeof locale>('kit/page')
  const say = useTexts(resource.screen.name)
  const ask = useQuestion()
  const notices = useNotices()
  const reason = useRef('')
  const form = useRef<StepForm>(null)

  const take = async (name: string, ids: readonly string[], key: string) => {
    const step = workflow?.steps[name]
    const body = { ...(step?.reason ? { reason: reason.current.trim() } : {}), ...(await form.current?.read()) }
    const path = `/${resource.screen.name}`
    try {
      if (ids.length === 1) {
        await post(`${path}/${ids[0]}/${name}`, body, { idempotencyKey: key })
        notices.done(kit('submitted-ok'))
        options.done()
      } else {
        options.done(await post<StepResult[]>(`${path}/steps/${name}`, { ids, ...body }))
      }
    } catch (error) {
      if (error instanceof CallFailed) form.current?.showErrors(error.fields)
      notices.failed(error, kit('submit-failed'))
      // A refused step usually means the row has moved on: show how it stands now, and keep the question with its reason.
      options.refused()
      throw error
    }
  }

  return (name: string, ids: readonly string[], row?: Row) => {
    const step = workflow?.steps[name]
    const label = say(`step.${name}` as never)
    const asks = Object.keys(step?.input ?? {}).length > 0
    // A step pressed twice is taken once; one that was refused may be tried with other words.
    let key = crypto.randomUUID()
    reason.current = ''
    const question = ask({
      title: ids.length === 1 ? label : `${label} · ${kit('selected', { count: ids.length })}`,
      ...(asks ? { width: 560 } : {}),
      content: (
        <>
          <p>{say(`ask.${name}` as never)}</p>
          {step && asks && (
            <Suspense fallback={<Skeleton active />}>
              <StepFields resource={resource} input={step.input} row={row} form={form} {...options} />
            </Suspense>
          )}
          {step?.reason && (
            <Input.TextArea
              aria-label={kit('reason')}
              placeholder={kit('reason')}
              autoFocus={!asks}
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
      // What is asked for comes first; without anything to fill in, the button does.
      ...(asks || step?.reason ? { focusable: { autoFocusButton: null } } : {}),
      cancelText: kit('cancel'),
      onOk: () =>
        take(name, ids, key).catch(error => {
          key = crypto.randomUUID()
          throw error
        }),
    })
  }
}

/** The steps this person may take with the row in its state; those the state asks for come first. */
export function offeredSteps(workflow: AnyWorkflow | undefined, row: Row): string[] {
  const held = Object.entries(workflow?.steps ?? {}).filter(
    // What another state would allow is no news; what a rule refuses stays visible, with its reason.
    ([name]) => name in row.steps && row.steps[name]?.code !== WRONG_STATE,
  )
  return [...held.filter(([, step]) => !step.aside), ...held.filter(([, step]) => step.aside)].map(([name]) => name)
}
const WRONG_STATE = 'kit:step-wrong-state'

/** The one step the row's state asks for, if it is open to this person. */
export const mainStep = (workflow: AnyWorkflow | undefined, row: Row): string | undefined =>
  offeredSteps(workflow, row).find(name => {
    const step = workflow?.steps[name]
    return row.steps[name] === null && !step?.danger && !step?.aside
  })

/** All steps the person holds, as buttons: a refused one stays visible, with its reason. What destroys stands last. */
export function StepButtons({
  resource,
  workflow,
  row,
  onStep,
  children,
}: {
  resource: Resource
  workflow: AnyWorkflow
  row: Row
  onStep(name: string): void
  /** What else may be done, besides steps. */
  children?: ReactNode
}) {
  const say = useTexts(resource.screen.name)
  const held = offeredSteps(workflow, row)
  const firstOpen = mainStep(workflow, row)
  const isDanger = (name: string) => workflow.steps[name]?.danger ?? false
  const buttons = (names: readonly string[]) =>
    names.map(name => {
      const refusal = row.steps[name]
      return (
        <Tooltip key={name} title={refusal?.msg}>
          <Button
            type={name === firstOpen ? 'primary' : 'default'}
            danger={isDanger(name)}
            disabled={refusal != null}
            onClick={() => onStep(name)}
          >
            {say(`step.${name}` as never)}
          </Button>
        </Tooltip>
      )
    })
  return (
    <>
      {buttons(held.filter(name => !isDanger(name)))}
      {children}
      {buttons(held.filter(isDanger))}
    </>
  )
}
