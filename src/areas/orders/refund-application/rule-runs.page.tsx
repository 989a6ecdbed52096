import { Flex, Typography } from 'antd'
import type * as z from 'zod'
import type { KeptRun } from '#engines/rule/kept-run.model.ts'
import { Instant } from '#kit/page/field/show.tsx'
import { useTexts } from '#kit/page/language.ts'
import { StateTag } from '#kit/page/tone.tsx'
import type { locale } from './locale.ts'
import { resource } from './model.ts'
import { riskOutcome } from './risk.model.ts'

/** What its chain decided, by which edition, and where it could not decide. */
export function RuleRuns({ runs }: { runs: readonly KeptRun[] }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  if (runs.length === 0) return <Typography.Text type="secondary">{say('run-none')}</Typography.Text>
  return (
    <Flex vertical gap={4}>
      {runs.map(run => (
        <Flex key={run.id} gap={8} wrap align="baseline">
          <Instant at={run.createdAt} />
          <StateTag tone={run.result === 'DECIDED' ? 'done' : 'failed'}>
            {run.edition === 0 ? say('run-shipped') : say('run-edition', { edition: run.edition })}
          </StateTag>
          <Decided outcome={run.outcome} />
          <Typography.Text type="secondary">{say('run-ms', { ms: run.ms })}</Typography.Text>
          {run.fault !== null && <Typography.Text type="danger">{run.fault}</Typography.Text>}
        </Flex>
      ))}
    </Flex>
  )
}

function Decided({ outcome }: Pick<KeptRun, 'outcome'>) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const { hold, askL2 } = decided(outcome)
  const said = [...(hold ? [say('run-hold')] : []), ...(askL2 ? [say('run-ask')] : [])]
  return <span>{said.join(say('list-mark')) || say('run-passed')}</span>
}

/** What was kept of a run in words we no longer read decided nothing we could tell. */
function decided(outcome: string): Pick<z.infer<typeof riskOutcome>, 'hold' | 'askL2'> {
  try {
    return riskOutcome.parse(JSON.parse(outcome))
  } catch {
    return { hold: false, askL2: false }
  }
}
