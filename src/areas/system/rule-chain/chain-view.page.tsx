import { Empty, Flex, Typography } from 'antd'
import { useMemo, useState } from 'react'
import { type Address, expressionAt } from '#engines/rule/address.model.ts'
import { drawingOf } from '#engines/rule/drawing.model.ts'
import { placeOf } from '#engines/rule/fault.model.ts'
import type { locale as ruleLocale } from '#engines/rule/locale.ts'
import { useTexts } from '#kit/page/language.ts'
import { mayDo, useUser } from '#kit/page/user.ts'
import { Source } from '../rule-source.page.tsx'
import { DryRun } from './dry-run.page.tsx'
import { EventFacts } from './event-facts.page.tsx'
import { namesById } from './graph.page.tsx'
import { meantBy } from './graph-keys.model.ts'
import { AroundPart, PartBox } from './graph-part.page.tsx'
import type { locale } from './locale.ts'
import { type RuleChain, resource } from './model.ts'
import { addressIn } from './use-carrying.page.tsx'
import { NOTHING, useChain, useMarks } from './use-known.page.tsx'

/** A chain as it stands: its text and its graph, what is wrong with it by now, and a run of it on a record, which changes nothing. */
export function ChainView({ chain: { source, event } }: { chain: Pick<RuleChain, 'source' | 'event'> }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const rule = useTexts<typeof ruleLocale>('engines/rule')
  const mayTry = useUser(user => mayDo(user, resource.screen.key, 'try'))
  const { tree, faults, names, offered, faulty, told } = useChain(source, event)
  const { marks, onTried } = useMarks(source)
  return (
    <Flex vertical gap={12} className="rule-chain">
      <div className="rule-sides">
        <Source text={source} />
        <GraphView {...{ tree, marks, faulty }} names={offered ?? NOTHING} />
      </div>
      {names &&
        faults.map(({ code, params, start }) => (
          <Flex key={`${start} ${code}`} gap={8} wrap>
            <Typography.Text type="secondary">{say('place', placeOf(source, start))}</Typography.Text>
            <Typography.Text type="danger">{rule(`fault.${code}`, params)}</Typography.Text>
          </Flex>
        ))}
      {told && <EventFacts event={told} />}
      {mayTry && names && source !== '' && faults.length === 0 && (
        <DryRun source={source} event={told} onTried={onTried} />
      )}
    </Flex>
  )
}

type GraphProps = Pick<ReturnType<typeof useChain>, 'tree' | 'faulty'> &
  Pick<ReturnType<typeof useMarks>, 'marks'> & { names: typeof NOTHING }

/** Gone through by arrows as in the editor; nothing of it can be changed. */
function GraphView({ tree, marks, faulty, names }: GraphProps) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const [wanted, choose] = useState<Address>('0')
  const parts = useMemo(() => drawingOf(tree), [tree])
  const byId = useMemo(() => namesById(names), [names])
  const chosen = expressionAt(tree, wanted) ? wanted : parts[0]?.at
  return (
    <div
      role="tree"
      aria-label={say('graph')}
      className="rule-graph rule-fixed"
      onClick={({ target }) => choose(addressIn(target) ?? wanted)}
      onKeyDown={event => {
        const meant = chosen === undefined ? undefined : meantBy(event, parts, chosen)
        if (!meant || !('go' in meant)) return
        event.preventDefault()
        choose(meant.go)
        event.currentTarget.querySelector<HTMLElement>(`[data-at="${meant.go}"]`)?.focus()
      }}
    >
      <AroundPart value={{ chosen, over: undefined, names: byId, marks, faulty, isFixed: true }}>
        {parts.map(part => (
          <PartBox key={part.at} part={part} />
        ))}
      </AroundPart>
      {parts.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={say('graph-empty')} />}
    </div>
  )
}
