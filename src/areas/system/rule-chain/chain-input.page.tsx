import { useQuery } from '@tanstack/react-query'
import { Button, Flex, Form, Input, Space, Typography } from 'antd'
import type { TextAreaRef } from 'antd/es/input/TextArea'
import { useMemo, useRef, useState } from 'react'
import { completionAt } from '#engines/rule/completion.model.ts'
import { type Fault, mended, placeOf } from '#engines/rule/fault.model.ts'
import { format } from '#engines/rule/format.model.ts'
import { judge } from '#engines/rule/judge.model.ts'
import type { locale as ruleLocale } from '#engines/rule/locale.ts'
import { get } from '#kit/page/call.ts'
import { useTexts } from '#kit/page/language.ts'
import { mayDo, useUser } from '#kit/page/user.ts'
import { Offers, useCompletion } from '../completion.page.tsx'
import { DryRun } from './dry-run.page.tsx'
import { ChainGraph } from './graph.page.tsx'
import type { Mark } from './graph-part.page.tsx'
import type { locale } from './locale.ts'
import { type KnownNames, knowing, MAX_SOURCE, offeredFor, resource, TRIED, type Tried } from './model.ts'
import { historyKey, useHistory } from './use-history.page.tsx'

type Props = { id?: string; value?: string; onChange?(source: string): void }

/** The text of a chain and its graph, either of which writes the other; below them what is wrong, and a run on given facts. */
export function ChainInput({ id, value = '', onChange }: Props) {
  const mayTry = useUser(user => mayDo(user, resource.screen.key, 'try'))
  const names = useQuery({
    queryKey: [resource.screen.name, 'known'],
    queryFn: () => get<KnownNames>(`/${resource.screen.name}/known`),
  }).data
  const event = Form.useWatch<string | null | undefined>('event', Form.useFormInstance())
  const { tree, isRead, faults } = useMemo(() => judge(value, knowing(names ?? NOTHING, event)), [value, names, event])
  const offered = useMemo(() => names && offeredFor(names, event), [names, event])
  const history = useHistory(value, source => onChange?.(source))
  const [run, setRun] = useState<{ source: string; tried: Tried }>()
  const marks = useMemo(() => (run?.source === value ? marksOf(run.tried) : NO_MARKS), [run, value])
  const faulty = useMemo(() => new Set(names ? faults.map(({ start }) => start) : []), [faults, names])
  return (
    <Flex
      vertical
      gap={12}
      className="rule-chain"
      onKeyDown={event => {
        const way = historyKey(event)
        if (!way || !isOfChain(event.target)) return
        event.preventDefault()
        history[way]()
      }}
    >
      <div className="rule-sides">
        <ChainText {...{ id, value, history }} names={offered} tidied={isRead ? format(tree) : undefined} />
        <ChainGraph
          {...{ tree, marks, faulty }}
          names={offered ?? NOTHING}
          isLocked={!isRead && tree.statements.length > 0}
          onChange={history.change}
        />
      </div>
      <div aria-live="polite">
        {value !== '' &&
          names &&
          faults.map(fault => (
            <FaultLine key={`${fault.start} ${fault.code}`} {...{ fault, value }} onChange={history.change} />
          ))}
      </div>
      {mayTry && faults.length === 0 && (
        <DryRun
          source={value}
          event={names?.events.find(({ name }) => name === event)}
          onTried={(source, tried) => setRun({ source, tried })}
        />
      )}
    </Flex>
  )
}
const NOTHING: KnownNames = { nodes: [], chains: [], events: [] }
const NO_MARKS: ReadonlyMap<number, Mark> = new Map()

/** A field beside the graph takes its own letters back. */
const isOfChain = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('.rule-graph, .rule-text') !== null

/** How each node of the text ran: how often, how long in all, and whether it failed at last. */
function marksOf({ steps }: Tried): ReadonlyMap<number, Mark> {
  const own = Map.groupBy(
    steps.filter(({ chainId }) => chainId === TRIED),
    ({ place }) => place,
  )
  return new Map(
    [...own].map(([place, ran]) => [
      place,
      { count: ran.length, ms: ran.reduce((sum, { ms }) => sum + ms, 0), isFailed: Boolean(ran.at(-1)?.error) },
    ]),
  )
}

type TextProps = {
  id: string | undefined
  value: string
  names: KnownNames | undefined
  history: ReturnType<typeof useHistory>
  /** As everybody writes it, where all of it could be read. */
  tidied: string | undefined
}

function ChainText({ id, value, names, history, tidied }: TextProps) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const area = useRef<TextAreaRef>(null)
  const complete = (source: string, caret: number) => names && completionAt(source, caret, names)
  const { input, typed, offers } = useCompletion({ area, value, change: history.change, complete })
  /** Where the caret stands, in place of what is chosen. */
  const insert = (word: string): void => {
    const { selectionStart = value.length, selectionEnd = value.length } =
      area.current?.resizableTextArea?.textArea ?? {}
    history.change(value === '' ? `THEN(${word})` : value.slice(0, selectionStart) + word + value.slice(selectionEnd))
    area.current?.focus()
  }
  return (
    <Flex vertical gap={8} className="rule-text">
      <div className="rule-writing">
        <Input.TextArea
          ref={area}
          {...(id !== undefined && { id })}
          {...input}
          value={value}
          maxLength={MAX_SOURCE}
          autoSize={{ minRows: 10, maxRows: 24 }}
          placeholder={EXAMPLE}
          spellCheck={false}
          // A line is a line, so that what is offered stands below the one that is written.
          wrap="off"
          style={{ fontFamily: 'monospace' }}
          onChange={({ target }) => {
            history.change(target.value, { isTyped: true })
            typed(target.value, target.selectionStart)
          }}
        />
        <Offers {...offers} />
      </div>
      <Space wrap size={4}>
        <Button size="small" disabled={!history.mayUndo} onClick={history.undo}>
          {say('undo')}
        </Button>
        <Button size="small" disabled={!history.mayRedo} onClick={history.redo}>
          {say('redo')}
        </Button>
        <Button size="small" disabled={tidied === undefined} onClick={() => history.change(tidied ?? value)}>
          {say('format')}
        </Button>
        {names?.nodes.slice(0, MOST_NAMES).map(({ id: node, name }) => (
          <Button key={node} size="small" type="dashed" title={name} onClick={() => insert(node)}>
            {node}
          </Button>
        ))}
      </Space>
    </Flex>
  )
}
const MOST_NAMES = 30
const EXAMPLE = 'THEN(score, IF(isRisky, hold))'

type LineProps = { fault: Fault; value: string; onChange: Props['onChange'] }

/** Where and what is wrong, what to write instead, and where only one thing can have been meant, a press that does so. */
function FaultLine({ fault: { code, params, start, fix }, value, onChange }: LineProps) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const rule = useTexts<typeof ruleLocale>('engines/rule')
  const { line, column } = placeOf(value, start)
  return (
    <Flex gap={8} align="baseline" wrap>
      <Typography.Text type="secondary">{say('place', { line, column })}</Typography.Text>
      <Typography.Text type="danger">{rule(`fault.${code}`, params)}</Typography.Text>
      <Typography.Text type="secondary">{rule(`hint.${code}`, params)}</Typography.Text>
      {fix && (
        <Button size="small" type="link" onClick={() => onChange?.(mended(value, [fix]))}>
          {say('fix')}
        </Button>
      )}
    </Flex>
  )
}
