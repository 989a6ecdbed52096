import { Button, Checkbox, Flex, Select, Switch } from 'antd'
import {
  type Binding,
  BOUND_KINDS,
  type BoundKind,
  bind,
  bindingsOf,
  kindOf,
  rebind,
  unbind,
  type Value,
} from '#engines/rule/binding.model.ts'
import { type Part, titleOf } from '#engines/rule/drawing.model.ts'
import { factNamed } from '#engines/rule/fact.model.ts'
import type { locale as ruleLocale } from '#engines/rule/locale.ts'
import { useTexts } from '#kit/page/language.ts'
import type { Offered } from './knowing.model.ts'
import { Labelled, Typed } from './labelled.page.tsx'
import type { GraphEditing } from './use-graph.page.tsx'

type Parameter = NonNullable<Offered['nodes'][number]['parameters']>[number]
type Props = { part: Part; names: Offered; graph: GraphEditing }

/** What is bound: first what the node takes, whether or not it is bound here, then all else, and room for more. */
export function PartBindings({ part, names, graph }: Props) {
  const rule = useTexts<typeof ruleLocale>('engines/rule')
  const { at, expression } = part
  const parameters = names.nodes.find(({ id }) => id === titleOf(expression))?.parameters ?? []
  const bindings = bindingsOf(expression)
  const own = new Map(parameters.map(({ name }) => [name, bindings.find(({ key }) => key === name)]))
  const others = bindings.filter(binding => own.get(binding.key) !== binding)
  return (
    <>
      {parameters.map(parameter => (
        <ParameterField
          key={parameter.name}
          {...{ parameter, part, graph }}
          binding={own.get(parameter.name)}
          choices={choicesFor(parameter, names, own.get(parameter.name))}
        />
      ))}
      {others.map(binding => (
        <OtherBinding key={binding.word} {...{ binding, part, graph }} />
      ))}
      <Labelled label={rule('bind-more')}>
        {id => (
          <Typed
            key={bindings.length}
            id={id}
            slot="text"
            value=""
            onEnter={key => key !== undefined && graph.apply(bind(at, String(key), ''))}
          />
        )}
      </Labelled>
    </>
  )
}

/** What it may be, where that is known: yes or no, one of what there is, or a fact of the kind. What is bound already stays among them. */
function choicesFor({ kind, values }: Parameter, { facts }: Offered, binding: Binding | undefined) {
  const wanted = factNamed(kind)
  const own = binding?.value === undefined || binding.value === '' ? [] : [String(binding.value)]
  if (kind === 'truth') return TRUTHS.map(toChoice)
  if (!wanted) return values && [...new Set([...values, ...own])].map(toChoice)
  const fitting = facts.filter(fact => fact.kind === wanted || fact.kind === 'any')
  return [
    ...fitting.map(({ name, title }) => ({ value: name, label: `${name} · ${title}` })),
    ...own.filter(name => !fitting.some(fact => fact.name === name)).map(toChoice),
  ]
}
const TRUTHS = ['true', 'false']
const toChoice = (value: string) => ({ value, label: value })

type ParameterProps = {
  parameter: Parameter
  choices: readonly { value: string; label: string }[] | null
  binding: Binding | undefined
  part: Part
  graph: GraphEditing
}

/** Left empty, it is bound around the node, or missing: the lines below the graph say so. */
function ParameterField({ parameter: { name, kind }, choices, binding, part: { at }, graph }: ParameterProps) {
  const rule = useTexts<typeof ruleLocale>('engines/rule')
  const enter = (value: Value | undefined): void => {
    if (value === undefined) binding && graph.apply(unbind(at, binding.word))
    else graph.apply(binding ? rebind(at, binding.word, { value }) : bind(at, name, value))
  }
  const value = binding?.value
  return (
    <Labelled label={rule('bind-parameter', { name })}>
      {id =>
        choices ? (
          <Select
            id={id}
            size="small"
            allowClear
            showSearch={{ optionFilterProp: 'label' }}
            value={value === undefined ? null : String(value)}
            options={[...choices]}
            onChange={(next: string | null | undefined) =>
              enter(kind === 'truth' && next ? next === 'true' : (next ?? undefined))
            }
          />
        ) : (
          <Typed
            id={id}
            slot={kind === 'whole' ? 'number' : 'text'}
            value={value === undefined ? undefined : String(value)}
            onEnter={enter}
          />
        )
      }
    </Labelled>
  )
}

type OtherProps = { binding: Binding; part: Part; graph: GraphEditing }

/** Bound for nodes within, or for a script: of any name and kind. */
function OtherBinding({ binding: { word, key, value, isOver }, part: { at }, graph }: OtherProps) {
  const rule = useTexts<typeof ruleLocale>('engines/rule')
  const kind = value === undefined ? undefined : kindOf(value)
  const change = (next: Parameters<typeof rebind>[2]) => graph.apply(rebind(at, word, next))
  return (
    <fieldset className="rule-binding" aria-label={rule('bind-of', { name: key })}>
      <Labelled label={rule('bind-name')}>
        {id => (
          <Typed
            id={id}
            slot="text"
            value={key}
            onEnter={next => next !== undefined && change({ key: String(next) })}
          />
        )}
      </Labelled>
      {kind && (
        <>
          <Labelled label={rule('bind-kind')}>
            {id => (
              <Select<BoundKind>
                id={id}
                size="small"
                value={kind}
                options={BOUND_KINDS.map(each => ({ value: each, label: rule(`bind-kind.${each}`) }))}
                onChange={next => change({ value: EMPTY[next] })}
              />
            )}
          </Labelled>
          <Labelled label={rule('bind-value')}>
            {id =>
              kind === 'truth' ? (
                <Switch id={id} size="small" checked={value === true} onChange={next => change({ value: next })} />
              ) : (
                <Typed
                  id={id}
                  slot={kind}
                  value={String(value)}
                  onEnter={next => change({ value: next ?? EMPTY[kind] })}
                />
              )
            }
          </Labelled>
        </>
      )}
      <Flex gap={8} align="center" wrap>
        <Checkbox checked={isOver} onChange={({ target }) => change({ isOver: target.checked })}>
          {rule('bind-over')}
        </Checkbox>
        <Button size="small" danger onClick={() => graph.apply(unbind(at, word))}>
          {rule('bind-remove')}
        </Button>
      </Flex>
    </fieldset>
  )
}
const EMPTY = { text: '', number: 0, truth: false } as const
