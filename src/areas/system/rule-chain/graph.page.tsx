import { Button, Empty, Flex, Typography } from 'antd'
import { useMemo } from 'react'
import type { Tree } from '#engines/rule/tree.model.ts'
import { useTexts } from '#kit/page/language.ts'
import { addingFirst } from './asking.model.ts'
import { AroundPart, PartBox } from './graph-part.page.tsx'
import type { Offered } from './knowing.model.ts'
import type { locale } from './locale.ts'
import type { Mark } from './marks.model.ts'
import { resource } from './model.ts'
import { PartPanel } from './part-panel.page.tsx'
import { PartPicker } from './part-picker.page.tsx'
import { addressIn, useCarrying } from './use-carrying.page.tsx'
import { type GraphEditing, useGraph } from './use-graph.page.tsx'
import './graph.css'

type Props = {
  tree: Tree
  names: Offered
  /** How what stands at a place of the text ran. */
  marks: ReadonlyMap<number, Mark>
  /** Where in the text something is wrong. */
  faulty: ReadonlySet<number>
  /** What could not be read would be lost by writing the rest. */
  isLocked: boolean
  onChange(source: string): void
}

/** A chain as boxes, each of which can be chosen, carried, changed and taken away; the text follows at once. */
export function ChainGraph({ tree, names, marks, faulty, isLocked, onChange }: Props) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const graph = useGraph(tree, names, isLocked, onChange)
  const { over, handlers } = useCarrying(tree, graph)
  const byId = useMemo(() => namesById(names), [names])
  const { parts, chosen, box } = graph
  return (
    <Flex vertical gap={8} className="rule-graph-room">
      <div
        ref={box}
        role="tree"
        aria-label={say('graph')}
        className={isLocked ? 'rule-graph rule-locked' : 'rule-graph'}
        onKeyDown={graph.onKeyDown}
        onClick={({ target }) => {
          const at = addressIn(target)
          if (at !== undefined) graph.choose(at)
        }}
        {...handlers}
      >
        <AroundPart value={{ chosen, over, names: byId, marks, faulty, isFixed: false }}>
          {parts.map(part => (
            <PartBox key={part.at} part={part} />
          ))}
        </AroundPart>
        {parts.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={say('graph-empty')} />}
      </div>
      {isLocked ? (
        <Typography.Text type="warning">{say('graph-locked')}</Typography.Text>
      ) : (
        <BelowGraph {...{ tree, names, graph }} />
      )}
    </Flex>
  )
}

export const namesById = ({ nodes, chains }: Offered) =>
  new Map([...chains.map(chain => ({ ...chain, type: 'chain' as const })), ...nodes].map(each => [each.id, each]))

/** What can be done with what is chosen, or what has to be answered first. */
function BelowGraph({ tree, names, graph }: Pick<Props, 'tree' | 'names'> & { graph: GraphEditing }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const { part, asking, ask, apply, leave } = graph
  if (asking)
    return (
      <PartPicker
        key={asking.given.length}
        {...{ asking, names, tree }}
        onAnswer={next => (typeof next === 'function' ? apply(next) : ask(next))}
        onLeave={leave}
      />
    )
  if (!part)
    return (
      <div>
        <Button onClick={() => ask(addingFirst)}>{say('add-first')}</Button>
      </div>
    )
  return (
    <>
      <PartPanel key={part.at} {...{ part, tree, names, graph }} />
      <Typography.Text type="secondary" className="rule-help">
        {say('graph-keys')}
      </Typography.Text>
    </>
  )
}
