import { Flex, Typography } from 'antd'
import { readOutcome } from '#engines/rule/deed.model.ts'
import { Code } from '#kit/page/field/show.tsx'
import { useTexts } from '#kit/page/language.ts'
import type { locale } from './runs/locale.ts'
import { type ChainRun, child } from './runs/model.ts'

/** What a run decided, and what became of each thing it had done. */
export function Outcome({ outcome }: Pick<ChainRun, 'outcome'>) {
  const say = useTexts<typeof locale>(child.resource.screen.name)
  const { decided, deeds } = readOutcome(outcome)
  return (
    <Flex vertical gap={2}>
      {decided !== '' && <Code>{decided}</Code>}
      {deeds.map(({ node, of, result }) => (
        <span key={`${node} ${of}`}>
          <Typography.Text code>{node}</Typography.Text> {of} · {say(`deed.${result}`)}
        </span>
      ))}
    </Flex>
  )
}
