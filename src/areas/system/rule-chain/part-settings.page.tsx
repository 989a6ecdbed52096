import { Select, Switch } from 'antd'
import { slotOf } from '#engines/rule/address.model.ts'
import { type Part, type Setting, settingsOf, titleOf } from '#engines/rule/drawing.model.ts'
import { rename, setWord } from '#engines/rule/edit.model.ts'
import type { locale as ruleLocale } from '#engines/rule/locale.ts'
import { idOf, type Tree } from '#engines/rule/tree.model.ts'
import { useTexts } from '#kit/page/language.ts'
import type { Offered } from './knowing.model.ts'
import { Labelled, Typed } from './labelled.page.tsx'
import type { locale } from './locale.ts'
import { resource } from './model.ts'
import { PartBindings } from './part-bindings.page.tsx'
import type { GraphEditing } from './use-graph.page.tsx'

type Props = { part: Part; tree: Tree; names: Offered; graph: GraphEditing }

/** Which node it is, and what is said about it, each in a field of its own. */
export function PartSettings({ part, tree, names, graph }: Props) {
  const { at, expression } = part
  const say = useTexts<typeof locale>(resource.screen.name)
  const others = othersOf(part, tree, names)
  const renameTo = (name: string) => graph.apply(rename(at, name))
  return (
    <div className="rule-settings">
      {others.length > 0 && (
        <Labelled label={say(idOf(expression) === undefined ? 'its-form' : 'its-node')}>
          {id => (
            <Select
              id={id}
              size="small"
              showSearch={{ optionFilterProp: 'label' }}
              value={titleOf(expression)}
              options={others}
              onChange={renameTo}
            />
          )}
        </Labelled>
      )}
      {expression.kind === 'number' && (
        <Labelled label={say('its-count')}>
          {id => (
            <Typed
              id={id}
              slot="whole"
              value={expression.name}
              onEnter={value => renameTo(String(value ?? expression.name))}
            />
          )}
        </Labelled>
      )}
      {expression.kind !== 'number' &&
        settingsOf(expression).map(setting => <SettingField key={setting.word} {...{ setting, part, graph }} />)}
      {expression.kind !== 'number' && <PartBindings {...{ part, names, graph }} />}
    </div>
  )
}

/** What could stand in its place: nodes of the same answer, or the form that holds the same. */
function othersOf({ at, expression }: Part, tree: Tree, { nodes, chains }: Offered) {
  if (idOf(expression) === undefined) return (SAME.find(words => words.includes(expression.name)) ?? []).map(toOption)
  const slot = slotOf(tree, at)
  const fitting = nodes.filter(({ type }) => slot === 'any' || type === slot)
  const all = slot === 'any' || slot === 'common' ? [...fitting, ...chains] : fitting
  return all.map(({ id, name }) => ({ value: id, label: id === name ? id : `${id} · ${name}` }))
}
const SAME = [
  ['THEN', 'WHEN'],
  ['AND', 'OR'],
]
const toOption = (word: string) => ({ value: word, label: word })

function SettingField({ setting, part: { at }, graph }: { setting: Setting; part: Part; graph: GraphEditing }) {
  const rule = useTexts<typeof ruleLocale>('engines/rule')
  const { word, slot, value } = setting
  const enter = (entered: string | number | boolean | undefined) => graph.apply(setWord(at, word, entered))
  return (
    <Labelled label={rule(`word.${word}`)}>
      {id =>
        slot === 'truth' ? (
          <Switch id={id} size="small" checked={value === 'true'} onChange={is => enter(is || undefined)} />
        ) : (
          <Typed id={id} slot={slot === 'whole' || slot === 'fraction' ? slot : 'text'} value={value} onEnter={enter} />
        )
      }
    </Labelled>
  )
}
