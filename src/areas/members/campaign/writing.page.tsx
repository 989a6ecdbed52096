import { useQuery } from '@tanstack/react-query'
import { Flex, Form, Input, Select, Typography } from 'antd'
import { fillIn, partsOf } from '#engines/message/model.ts'
import { get } from '#kit/page/call.ts'
import { useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'
import { type Campaign, NAME_HOLE, resource, type TemplateView } from './model.ts'

const useTemplates = () =>
  useQuery({
    queryKey: [resource.screen.name, 'templates'],
    queryFn: ({ signal }) => get<TemplateView[]>(`/${resource.screen.name}/templates`, { signal }),
  })

type Chosen = { id?: string; value?: string; onChange?: (id: string) => void }

/** Only what is published, is advertising and goes by text message. */
export function TemplateInput(control: Chosen) {
  const { data, isLoading } = useTemplates()
  const say = useTexts<typeof locale>(resource.screen.name)
  return (
    <Select
      {...control}
      loading={isLoading}
      notFoundContent={say('no-templates')}
      options={(data ?? []).map(({ id, title }) => ({ value: id, label: title }))}
    />
  )
}

type Filled = Campaign['filled']
type Filling = { value?: Filled; onChange?: (filled: Filled) => void }

/** What goes into the template for everybody, and the words as they will be read. */
export function FilledInput({ value = [], onChange }: Filling) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const templateId = Form.useWatch<string | undefined>('templateId', Form.useFormInstance())
  const template = useTemplates().data?.find(({ id }) => id === templateId)
  if (!template) return null
  const asked = template.variables.filter(({ name }) => name !== NAME_HOLE)
  const given = Object.fromEntries(value.map(({ name, value: put }) => [name, put]))
  const put = (name: string, entered: string) =>
    onChange?.([...value.filter(one => one.name !== name), ...(entered ? [{ name, value: entered }] : [])])
  const sample = template.variables.find(({ name }) => name === NAME_HOLE)?.sample ?? ''
  const text = fillIn(template.body, { ...given, [NAME_HOLE]: sample })
  return (
    <Flex vertical gap={8}>
      {asked.map(({ name, kind, sample: example }) => (
        <Input
          key={name}
          addonBefore={`${say(`hole.${kind}`)} · ${name}`}
          aria-label={`${say(`hole.${kind}`)} · ${name}`}
          placeholder={say('for-example', { example })}
          value={given[name] ?? ''}
          onChange={({ target }) => put(name, target.value)}
        />
      ))}
      <Typography.Paragraph style={{ margin: 0, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {text}
      </Typography.Paragraph>
      <Typography.Text type="secondary">{say('parts', { signs: text.length, count: partsOf(text) })}</Typography.Text>
    </Flex>
  )
}
