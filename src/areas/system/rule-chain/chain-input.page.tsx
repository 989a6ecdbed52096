import { Button, Flex, Form, Input, Space, Typography } from 'antd'
import type { TextAreaRef } from 'antd/es/input/TextArea'
import { useRef } from 'react'
import { completionAt } from '#engines/rule/completion.model.ts'
import { type Fault, mended, placeOf } from '#engines/rule/fault.model.ts'
import { format } from '#engines/rule/format.model.ts'
import type { locale as ruleLocale } from '#engines/rule/locale.ts'
import { useTexts } from '#kit/page/language.ts'
import { mayDo, useUser } from '#kit/page/user.ts'
import { Offers, useCompletion } from '../completion.page.tsx'
import { DryRun } from './dry-run.page.tsx'
import { EventFacts } from './event-facts.page.tsx'
import { ChainGraph } from './graph.page.tsx'
import type { Offered } from './knowing.model.ts'
import type { locale } from './locale.ts'
import { MAX_SOURCE, resource } from './model.ts'
import { historyKey, useHistory } from './use-history.page.tsx'
import { NOTHING, useChain, useMarks } from './use-known.page.tsx'

type Props = { id?: string; value?: string; onChange?(source: string): void }

/** The text of a chain and its graph, either of which writes the other; below them what is wrong, and a run on given facts. */
export function ChainInput({ id, value = '', onChange }: Props) {
  const mayTry = useUser(user => mayDo(user, resource.screen.key, 'try'))
  const event = Form.useWatch<string | null | undefined>('event', Form.useFormInstance())
  const { tree, isRead, faults, names, offered, faulty, told } = useChain(value, event)
  const { marks, onTried } = useMarks(value)
  const history = useHistory(value, source => onChange?.(source))
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
      {told && <EventFacts event={told} />}
      {mayTry && faults.length === 0 && <DryRun source={value} event={told} onTried={onTried} />}
    </Flex>
  )
}

/** A field beside the graph takes its own letters back. */
const isOfChain = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('.rule-graph, .rule-text') !== null

type TextProps = {
  id: string | undefined
  value: string
  names: Offered | undefined
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
