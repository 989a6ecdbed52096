import { useQuery } from '@tanstack/react-query'
import { Button, Flex, Input, Space, Tree, Typography } from 'antd'
import type { TextAreaRef } from 'antd/es/input/TextArea'
import { useMemo, useRef } from 'react'
import { type Fault, mended, placeOf } from '#engines/rule/fault.model.ts'
import { format } from '#engines/rule/format.model.ts'
import { judge } from '#engines/rule/judge.model.ts'
import type { locale as ruleLocale } from '#engines/rule/locale.ts'
import { get } from '#kit/page/call.ts'
import { useTexts } from '#kit/page/language.ts'
import { mayDo, useUser } from '#kit/page/user.ts'
import { DryRun } from './dry-run.page.tsx'
import type { locale } from './locale.ts'
import { type KnownNames, knowing, MAX_SOURCE, resource } from './model.ts'
import { outlineOf } from './outline.page.tsx'

type Props = { id?: string; value?: string; onChange?(source: string): void }

/** The text of a chain; below it what is wrong, how it is built, and a run on given facts. */
export function ChainInput({ id, value = '', onChange }: Props) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const mayTry = useUser(user => mayDo(user, resource.screen.key, 'try'))
  const names = useQuery({
    queryKey: [resource.screen.name, 'known'],
    queryFn: () => get<KnownNames>(`/${resource.screen.name}/known`),
  }).data
  const { tree, isRead, faults } = useMemo(() => judge(value, knowing(names ?? NOTHING)), [value, names])
  const isRight = faults.length === 0 && value !== ''
  const area = useRef<TextAreaRef>(null)
  /** Where the caret stands, in place of what is chosen. */
  const insert = (word: string): void => {
    const { selectionStart = value.length, selectionEnd = value.length } =
      area.current?.resizableTextArea?.textArea ?? {}
    onChange?.(value === '' ? `THEN(${word})` : value.slice(0, selectionStart) + word + value.slice(selectionEnd))
    area.current?.focus()
  }
  return (
    <Flex vertical gap={12}>
      <Input.TextArea
        ref={area}
        {...(id !== undefined && { id })}
        value={value}
        maxLength={MAX_SOURCE}
        autoSize={{ minRows: 6, maxRows: 20 }}
        placeholder={EXAMPLE}
        spellCheck={false}
        style={{ fontFamily: 'monospace' }}
        onChange={event => onChange?.(event.target.value)}
      />
      <Space wrap>
        <Button size="small" disabled={!isRead} onClick={() => onChange?.(format(tree))}>
          {say('format')}
        </Button>
        {names?.nodes.slice(0, MOST_NAMES).map(({ id: node, name }) => (
          <Button key={node} size="small" type="dashed" title={name} onClick={() => insert(node)}>
            {node}
          </Button>
        ))}
      </Space>
      <div aria-live="polite">
        {value !== '' &&
          names &&
          faults.map(fault => <FaultLine key={`${fault.start} ${fault.code}`} {...{ fault, value, onChange }} />)}
      </div>
      {isRight && <Tree treeData={outlineOf(tree)} defaultExpandAll selectable={false} key={value} />}
      {mayTry && isRight && <DryRun source={value} />}
    </Flex>
  )
}
const MOST_NAMES = 30
const EXAMPLE = 'THEN(score, IF(isRisky, hold))'
const NOTHING: KnownNames = { nodes: [], chains: [] }

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
