import { Button, Flex, Popover, Typography } from 'antd'
import { formatInstant } from '#kit/model/time.ts'
import { childTab } from '#kit/page/detail/child-list.tsx'
import { MISSING } from '#kit/page/field/show.tsx'
import { formatCount } from '#kit/page/figures.ts'
import { useTexts } from '#kit/page/language.ts'
import { StateTag } from '#kit/page/tone.tsx'
import type { ScheduleJob } from './model.ts'
import type { locale } from './runs/locale.ts'
import { child, type JobRun } from './runs/model.ts'

/** How often the runs of a job that is at work are looked at. */
const RUNNING_MS = 1_000

/** What became of each due time: complete where it failed, was stopped, got lost or was left out, too. */
export const tab = childTab(child, {
  order: 1,
  looks: ({ runningSince }: ScheduleJob) => ({
    againMs: runningSince !== null && RUNNING_MS,
    shows: {
      startedAt: ({ startedAt }: JobRun) => <Stamp at={startedAt} />,
      endedAt: ({ endedAt }: JobRun) => <Stamp at={endedAt} />,
      dueAt: ({ dueAt }: JobRun) => <Stamp at={dueAt} />,
      durationMs: ({ durationMs }: JobRun) => <Took ms={durationMs} />,
      done: ({ done, total }: JobRun) => figureOf(done, total),
      reason: (run: JobRun) => <Why run={run} />,
    },
  }),
})

/** To the second: a log of runs is read for that. */
function Stamp({ at }: { at: string | null }) {
  return at === null ? (
    MISSING
  ) : (
    <time dateTime={at} className="inkstone-figure">
      {formatInstant(new Date(at)).slice(5)}
    </time>
  )
}

function Took({ ms }: { ms: number | null }) {
  const say = useTexts<typeof locale>(child.resource.screen.name)
  if (ms === null) return MISSING
  return ms < 1_000 ? say('milliseconds', { count: ms }) : say('seconds', { count: Math.round(ms / 100) / 10 })
}

const figureOf = (done: number | null, total: number | null): string =>
  done === null ? MISSING : total === null ? formatCount(done) : `${formatCount(done)} / ${formatCount(total)}`

/** Why it did not simply succeed: what was missed, who wanted it, what broke. */
function Why({ run: { reason, missed, missedFrom, error } }: { run: JobRun }) {
  const say = useTexts<typeof locale>(child.resource.screen.name)
  if (reason === null && missed === 0 && error === null) return MISSING
  return (
    <Flex vertical gap={4}>
      {reason !== null && <StateTag tone="idle">{say(`reason.${reason}`)}</StateTag>}
      {missed > 0 && (
        <span>
          {missedFrom === null
            ? say('missed', { count: missed })
            : say('missed-since', { count: missed, at: formatInstant(new Date(missedFrom)) })}
        </span>
      )}
      {error !== null && <ErrorText error={error} />}
    </Flex>
  )
}

/** The first line tells most; the whole of it is there to be copied. */
function ErrorText({ error }: { error: string }) {
  const say = useTexts<typeof locale>(child.resource.screen.name)
  return (
    <Popover
      trigger="click"
      content={
        <Typography.Paragraph copyable className="inkstone-code" style={{ whiteSpace: 'pre-wrap', maxWidth: 640 }}>
          {error}
        </Typography.Paragraph>
      }
    >
      <Button type="link" size="small" danger style={{ paddingInline: 0 }} title={say('error-title')}>
        <span className="inkstone-ellipsis">{error.split('\n')[0]}</span>
      </Button>
    </Popover>
  )
}
