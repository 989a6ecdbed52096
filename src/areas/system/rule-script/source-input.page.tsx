import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Flex, Form, Input, Typography } from 'antd'
import type { TextAreaRef } from 'antd/es/input/TextArea'
import { useRef } from 'react'
import type { locale as ruleLocale } from '#engines/rule/locale.ts'
import { scriptCompletionAt } from '#engines/rule/script-completion.model.ts'
import { get } from '#kit/page/call.ts'
import { useLanguage, useTexts } from '#kit/page/language.ts'
import { mayDo, useUser } from '#kit/page/user.ts'
import { Offers, useCompletion } from '../completion.page.tsx'
import { TryOut } from '../try-out.page.tsx'
import type { locale } from './locale.ts'
import { type KnownFacts, MAX_FACTS, MAX_SOURCE, type RuleScript, resource, TEMPLATES, type Tried } from './model.ts'
import { StrangeFacts } from './strange-facts.page.tsx'

type Props = {
  id?: string | undefined
  value?: string
  onChange?: ((source: string) => void) | undefined
}
const CODE = { fontFamily: 'monospace' } as const

/** The text of a script, with an example of its type to begin with, and beside it what it answers to given facts. */
export function SourceInput({ id, value = '', onChange }: Props) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const mayTry = useUser(user => mayDo(user, resource.screen.key, 'try'))
  const type = Form.useWatch<RuleScript['type'] | undefined>('type', { form: Form.useFormInstance(), preserve: true })
  return (
    <Flex vertical gap={12}>
      <Writing {...{ id, value, onChange }} />
      {value === '' && type && (
        <div>
          <Button size="small" onClick={() => onChange?.(TEMPLATES[type])}>
            {say('template')}
          </Button>
        </div>
      )}
      {mayTry && type && <TestRun type={type} source={value} />}
    </Flex>
  )
}

/** The text itself, which offers what a script is given and may call. */
function Writing({ id, value = '', onChange }: Props) {
  const language = useLanguage()
  const rule = useTexts<typeof ruleLocale>('engines/rule')
  const area = useRef<TextAreaRef>(null)
  const { data } = useQuery({
    queryKey: [resource.screen.name, 'known', language],
    queryFn: ({ signal }) => get<KnownFacts>(`/${resource.screen.name}/known`, { signal }),
  })
  const { input, typed, offers } = useCompletion({
    area,
    value,
    change: source => onChange?.(source),
    complete: (source, caret) =>
      scriptCompletionAt(source, caret, { facts: data?.facts ?? [], tell: word => rule(`given.${word}`) }),
  })
  return (
    <>
      <div className="rule-writing">
        <Input.TextArea
          ref={area}
          {...(id !== undefined && { id })}
          {...input}
          value={value}
          maxLength={MAX_SOURCE}
          autoSize={{ minRows: 8, maxRows: 24 }}
          spellCheck={false}
          // A line is a line, so that what is offered stands below the one that is written.
          wrap="off"
          style={CODE}
          onChange={({ target }) => {
            onChange?.(target.value)
            typed(target.value, target.selectionStart)
          }}
        />
        <Offers {...offers} />
      </div>
      {data && <StrangeFacts source={value} known={data} onChange={source => onChange?.(source)} />}
    </>
  )
}

function TestRun({ type, source }: Pick<RuleScript, 'type' | 'source'>) {
  const say = useTexts<typeof locale>(resource.screen.name)
  return (
    <TryOut<Tried>
      path={`/${resource.screen.name}/try`}
      sent={{ type, source }}
      begin={EXAMPLE}
      max={MAX_FACTS}
      rows={10}
      words={{ facts: say('try-facts'), run: say('try-now'), failed: say('try-failed') }}
    >
      {tried => <Outcome tried={tried} />}
    </TryOut>
  )
}
const EXAMPLE = '{ "amountFen": 120000, "channel": "DOUYIN", "lines": [{ "amountFen": 120000 }] }'

const KNOWN = ['script', 'time', 'memory', 'too-large', 'crashed', 'answer', 'limit'] as const
type KnownError = (typeof KNOWN)[number]

function Outcome({ tried: { answer, ms, error } }: { tried: Tried }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  if (!error)
    return (
      <Alert
        type="info"
        title={say('try-done', { ms })}
        description={<Typography.Text code>{answer ?? say('try-nothing')}</Typography.Text>}
      />
    )
  const known = KNOWN.find((code): code is KnownError => code === error.code)
  const place = error.line === null ? '' : `${say('try-line', { line: error.line })}: `
  return (
    <Alert type="error" title={say(known ? `error.${known}` : 'error.other')} description={place + error.message} />
  )
}
