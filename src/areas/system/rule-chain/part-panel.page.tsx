import { Button, Dropdown, Flex } from 'antd'
import { type Part, titleOf } from '#engines/rule/drawing.model.ts'
import { nudge, remove } from '#engines/rule/edit.model.ts'
import type { locale as ruleLocale } from '#engines/rule/locale.ts'
import { openingsOf } from '#engines/rule/opening.model.ts'
import type { Tree } from '#engines/rule/tree.model.ts'
import { unwrap } from '#engines/rule/wrap.model.ts'
import { useTexts } from '#kit/page/language.ts'
import { addingBeside, addingInside, wrapping, wrapsOf } from './asking.model.ts'
import type { Offered } from './knowing.model.ts'
import type { locale } from './locale.ts'
import { resource } from './model.ts'
import { PartSettings } from './part-settings.page.tsx'
import type { GraphEditing } from './use-graph.page.tsx'

type Props = { part: Part; tree: Tree; names: Offered; graph: GraphEditing }

/** What may be done with the box that is chosen, and what is said about it. */
export function PartPanel({ part, tree, names, graph }: Props) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const { ask, apply, outcomeOf } = graph
  const { at, expression } = part
  const [before, after] = [addingBeside(tree, at, 'before'), addingBeside(tree, at, 'after')]
  const acts = [
    { name: 'move-up', edit: nudge(at, -1) },
    { name: 'move-down', edit: nudge(at, 1) },
    { name: 'unwrap', edit: unwrap(at) },
    { name: 'remove', edit: remove(at) },
  ] as const
  return (
    <section className="rule-panel" aria-label={say('chosen', { name: titleOf(expression) })}>
      <Flex gap={4} wrap>
        <Button size="small" disabled={!before} onClick={() => ask(before)}>
          {say('before')}
        </Button>
        <Button size="small" disabled={!after} onClick={() => ask(after)}>
          {say('after')}
        </Button>
        <InsideButton part={part} graph={graph} />
        <WrapButton part={part} tree={tree} graph={graph} />
        {acts.map(({ name, edit }) => (
          <Button
            key={name}
            size="small"
            danger={name === 'remove'}
            disabled={!outcomeOf(edit)}
            onClick={() => apply(edit)}
          >
            {say(name)}
          </Button>
        ))}
      </Flex>
      <PartSettings part={part} tree={tree} names={names} graph={graph} />
    </section>
  )
}

function InsideButton({ part: { at, expression }, graph }: Pick<Props, 'part' | 'graph'>) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const openings = openingsOf(expression)
  return (
    openings.length > 0 && (
      <Dropdown
        trigger={['click']}
        menu={{
          items: openings.map(({ word }) => ({ key: word, label: word === '' ? say('in-brackets') : word })),
          onClick: ({ key }) => {
            const opening = openings.find(({ word }) => word === key)
            if (opening) graph.ask(addingInside(at, opening))
          },
        }}
      >
        <Button size="small">{say('inside')}</Button>
      </Dropdown>
    )
  )
}

function WrapButton({ part: { at }, tree, graph }: Pick<Props, 'part' | 'tree' | 'graph'>) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const rule = useTexts<typeof ruleLocale>('engines/rule')
  const words = wrapsOf(tree, at)
  return (
    <Dropdown
      trigger={['click']}
      disabled={words.length === 0}
      menu={{
        items: words.map(word => ({ key: word, label: `${word} · ${rule(`form.${word}` as 'form.IF')}` })),
        onClick: ({ key }) => {
          const next = wrapping(at, key)
          if (typeof next === 'function') graph.apply(next)
          else graph.ask(next)
        },
      }}
    >
      <Button size="small" className="rule-wrap">
        {say('wrap')}
      </Button>
    </Dropdown>
  )
}
