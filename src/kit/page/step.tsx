import { Button, Tooltip } from 'antd'
import { type ReactNode, useRef } from 'react'
import type { Resource } from '#kit/model/resource.ts'
import { targetsOf, WRONG_STATE } from '#kit/model/workflow.ts'
import type { ForAll } from './bulk/matching.ts'
import { loadAhead, loadChunk } from './chunk.ts'
import type { StepForm } from './form/step-fields.tsx'
import { useTexts } from './language.ts'
import type { Row } from './list/list-state.ts'
import type { locale } from './locale.ts'
import { useNotices } from './notice.tsx'
import { useQuestion } from './question.ts'
import { announceMissing } from './shell/session/new-version.ts'
import type { AnyWorkflow, StepOptions } from './step-types.ts'
import { useTab } from './tab.ts'

// With the first question.
const loadQuestion = () => import('./step-question.tsx')
export const prepareQuestions = (): void => loadAhead(loadQuestion)

/** Asks before a step, with what it needs to know, and takes it: for one row, or for many with a result each. */
export function useSteps(resource: Resource, workflow: AnyWorkflow | undefined, options: StepOptions) {
  const kit = useTexts<typeof locale>('kit/page')
  const say = useTexts(resource.screen.name)
  const ask = useQuestion()
  const notices = useNotices()
  const tab = useTab()
  const form = useRef<StepForm>(null)
  const asking = { resource, workflow, options, kit, say, ask, notices, tab, form }
  return (name: string, ids: readonly string[], rows: readonly Row[], all?: ForAll) =>
    void loadChunk(loadQuestion).then(({ askStep }) => askStep(asking, { name, ids, rows, all }), announceMissing)
}

/** The steps this person may take with the row in its state; those the state asks for come first. */
export function offeredSteps(workflow: AnyWorkflow | undefined, row: Row): string[] {
  const held = Object.entries(workflow?.steps ?? {}).filter(
    // What another state would allow is no news; what a rule refuses stays visible, with its reason.
    ([name]) => name in row.steps && row.steps[name]?.code !== WRONG_STATE,
  )
  return [...held.filter(([, step]) => !step.aside), ...held.filter(([, step]) => step.aside)].map(([name]) => name)
}

/** Whether a state can ask for the step: not for one that destroys, stands aside, or leads off the way of the record. */
function isOnTheWay(workflow: AnyWorkflow | undefined, name: string, row: Row): boolean {
  const step = workflow?.steps[name]
  if (!step || step.danger || step.aside) return false
  if (step.to === 'same' || !workflow?.path) return true
  const path = workflow.path(row as never)
  return targetsOf(step).some(state => path.includes(`${workflow.field}.${state}`))
}

/** The one step the row's state asks for, if it is open to this person. */
export const mainStep = (workflow: AnyWorkflow | undefined, row: Row): string | undefined =>
  offeredSteps(workflow, row).find(name => row.steps[name] === null && isOnTheWay(workflow, name, row))

/** Where no step is open: the one the row's state asks for all the same, which a rule keeps closed. */
export const blockedStep = (workflow: AnyWorkflow | undefined, row: Row): string | undefined =>
  mainStep(workflow, row) === undefined
    ? offeredSteps(workflow, row).find(name => row.steps[name] && isOnTheWay(workflow, name, row))
    : undefined

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
            {say(`step.${name}`)}
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
