import { Button, Form, Input, Space } from 'antd'
import { type ComponentRef, useRef } from 'react'
import { MAX_BODY } from '#engines/message/model.ts'
import { useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'
import { type MessageTemplate, resource } from './model.ts'
import { Preview } from './preview.page.tsx'

type Props = { id?: string; value?: string; onChange?: (text: string) => void }

/** The text with its variables at hand, and beside it how it arrives while it is written. */
export function BodyInput({ id, value = '', onChange }: Props) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const area = useRef<ComponentRef<typeof Input.TextArea>>(null)
  const form = Form.useFormInstance()
  const entered = Form.useWatch<Partial<MessageTemplate>>([], form) ?? {}
  const variables = (entered.variables ?? []).filter(({ name }) => name !== '')
  const insert = (name: string) => {
    const box = area.current?.resizableTextArea?.textArea
    const [from, to] = [box?.selectionStart ?? value.length, box?.selectionEnd ?? value.length]
    onChange?.(`${value.slice(0, from)}{${name}}${value.slice(to)}`)
    box?.focus()
  }
  return (
    <Space orientation="vertical" size={8} style={{ width: '100%' }}>
      <Input.TextArea
        {...(id === undefined ? {} : { id })}
        ref={area}
        value={value}
        maxLength={MAX_BODY}
        autoSize={{ minRows: 4, maxRows: 12 }}
        showCount
        onChange={event => onChange?.(event.target.value)}
      />
      {variables.length > 0 && (
        <Space wrap size={4}>
          <span>{say('insert')}</span>
          {variables.map(({ name }) => (
            <Button key={name} size="small" onClick={() => insert(name)}>
              {name}
            </Button>
          ))}
        </Space>
      )}
      {value !== '' && (
        <Preview
          channel={entered.channel ?? (form.getFieldValue('channel') as MessageTemplate['channel'])}
          title={entered.title ?? ''}
          body={value}
          variables={variables}
        />
      )}
    </Space>
  )
}
