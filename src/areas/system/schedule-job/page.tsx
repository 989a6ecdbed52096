import { Flex } from 'antd'
import type { RowOf } from '#kit/model/resource.ts'
import { Instant, MISSING } from '#kit/page/field/show.tsx'
import { formatCount } from '#kit/page/figures.ts'
import { wide } from '#kit/page/form/inputs.ts'
import { useTexts } from '#kit/page/language.ts'
import { later } from '#kit/page/later.tsx'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { StateTag } from '#kit/page/tone.tsx'
import type { locale } from './locale.ts'
import { type DeclaredParameter, resource, type ScheduleJob, workflow } from './model.ts'

const CronInput = later(async () => (await import('./inputs.page.tsx')).CronInput)
const ParametersInput = later(async () => (await import('./inputs.page.tsx')).ParametersInput)

// Few jobs are under way when somebody looks.
const HowFar = later(async () => (await import('./how-far.page.tsx')).HowFar)

const INPUTS = { cron: wide(() => <CronInput />), parameters: wide(() => <ParametersInput />) }

type Row = RowOf<typeof resource>

export function Page() {
  return (
    <ListPage
      resource={resource}
      workflow={workflow}
      inputs={INPUTS}
      shows={{
        cron: (row: Row) => <Schedule cron={row.cron} words={row.labels.cron?.name} />,
        declaredCron: (row: Row) => <Schedule cron={row.declaredCron} words={row.labels.declaredCron?.name} />,
        runningSince: (row: Row) => <Running row={row} />,
        parameters: (row: Row) => <Parameters row={row} />,
        about: ({ about }: ScheduleJob) => about,
        nextRuns: ({ nextRuns }: ScheduleJob) => <NextRuns at={nextRuns} />,
      }}
      isUnderWay={({ runningSince }) => runningSince !== null}
    />
  )
}

/** In words, and as it is written. */
function Schedule({ cron, words }: { cron: string; words: string | undefined }) {
  return (
    <Flex vertical>
      {words && <span title={words}>{words}</span>}
      <span className="inkstone-note inkstone-figure">{cron}</span>
    </Flex>
  )
}

/** Whether it is at work, and how far. */
function Running({ row: { runningSince, runDone, runTotal } }: { row: ScheduleJob }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  if (runningSince === null) return MISSING
  const done = formatCount(runDone ?? 0)
  if (runDone !== null && runTotal !== null && runTotal > 0) {
    const said = say('progress', { done, total: formatCount(runTotal) })
    return <HowFar share={runDone / runTotal} said={said} />
  }
  return (
    <Flex gap={8}>
      <StateTag tone="busy">{runDone === null ? say('field.runningSince') : say('progress-done', { done })}</StateTag>
      <Instant at={runningSince} />
    </Flex>
  )
}

function Parameters({ row: { parameters, declared } }: { row: ScheduleJob }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  if (parameters.length === 0) return <span className="inkstone-note">{say('no-parameters')}</span>
  const known = new Map(declared.map(parameter => [parameter.name, parameter]))
  return (
    <Flex vertical>
      {parameters.map(({ name, value }) => (
        <span key={name}>{`${known.get(name)?.label ?? name} ${inUnit(say, known.get(name)?.unit, value)}`}</span>
      ))}
    </Flex>
  )
}

type Say = (key: 'in.days', params: { count: number }) => string

/** What people set here is mostly how long something is kept. */
const inUnit = (say: Say, unit: DeclaredParameter['unit'] | undefined, value: number): string =>
  unit === 'days' ? say('in.days', { count: value }) : formatCount(value)

function NextRuns({ at }: { at: readonly string[] }) {
  if (at.length === 0) return MISSING
  return (
    <Flex vertical>
      {at.map(due => (
        <Instant key={due} at={due} />
      ))}
    </Flex>
  )
}
