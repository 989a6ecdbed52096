import { Flex, Select } from 'antd'
import { useId, useState } from 'react'
import type { Edit } from '#engines/rule/change.model.ts'
import type { NodeType } from '#engines/rule/form.model.ts'
import type { locale as ruleLocale } from '#engines/rule/locale.ts'
import type { Expression, Tree } from '#engines/rule/tree.model.ts'
import { literal, named } from '#engines/rule/written.model.ts'
import { useTexts } from '#kit/page/language.ts'
import { type Asking, answered } from './asking.model.ts'
import type { locale } from './locale.ts'
import { type KnownNames, resource } from './model.ts'

type Props = {
  asking: Asking
  names: KnownNames
  tree: Tree
  onAnswer(next: Asking | Edit): void
  onLeave(): void
}

/** Asks for a node by what people call it: those that can stand in the place, and no others. */
export function PartPicker({ asking, names, tree, onAnswer, onLeave }: Props) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const rule = useTexts<typeof ruleLocale>('engines/rule')
  const [typed, setTyped] = useState('')
  const id = useId()
  const slot = asking.slots[asking.given.length] as NodeType
  const choices = choicesFor(slot, names, tree, typed)
  const title = say(asking.title, { word: asking.word })
  return (
    <Flex vertical gap={4} className="rule-panel">
      <label htmlFor={id}>
        {title} · {rule(`slot.${slot}`)}
      </label>
      <Select
        id={id}
        autoFocus
        defaultOpen
        showSearch={{ onSearch: setTyped, optionFilterProp: 'title' }}
        placeholder={say('choose-node')}
        notFoundContent={say('no-node', { slot: rule(`slot.${slot}`) })}
        options={choices.map(({ value, label }) => ({ value, label, title: label }))}
        onSelect={(value: string) => {
          const answer = choices.find(choice => choice.value === value)?.answer
          if (answer) onAnswer(answered(asking, answer))
        }}
        onKeyDown={event => {
          if (event.key !== 'Escape') return
          // The drawer around it would take it for its own.
          event.stopPropagation()
          onLeave()
        }}
        onBlur={onLeave}
      />
    </Flex>
  )
}

type Choice = { readonly value: string; readonly label: string; readonly answer: Expression }

function choicesFor(slot: NodeType, { nodes, chains }: KnownNames, tree: Tree, typed: string): Choice[] {
  const variables = tree.statements.flatMap(({ target }) => (target?.kind === 'name' ? [target.name] : []))
  const fitting = [
    ...nodes.filter(({ type }) => type === slot),
    ...(slot === 'common' ? [...chains, ...variables.map(name => ({ id: name, name }))] : []),
  ]
  const count = slot === 'for' && /^\d{1,3}$/.test(typed.trim()) ? [Number(typed)] : []
  return [
    ...count.map(times => ({ value: `=${times}`, label: String(times), answer: literal(times) })),
    ...fitting.map(({ id, name }) => ({
      value: id,
      label: id === name ? id : `${id} · ${name}`,
      answer: named(id),
    })),
  ]
}
