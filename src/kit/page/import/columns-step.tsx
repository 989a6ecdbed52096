import { Alert, Button, Form, type FormInstance, Select, Table } from 'antd'
import { useState } from 'react'
import type { Resource } from '#kit/model/resource.ts'
import { formatInstant } from '#kit/model/time.ts'
import { post } from '../call.ts'
import { asBody, emptyValues, FormFields } from '../form/fields.tsx'
import type { IsShown } from '../form/inputs.ts'
import type { Values } from '../form/values.ts'
import { useTexts } from '../language.ts'
import type { locale } from './locale.ts'
import { type Batch, type Offer, type Uploaded, useDeed } from './use-import.ts'

/** What is said once of the whole file. */
export type Asked = { readonly resource: Resource; readonly fields: readonly string[]; readonly isShown: IsShown }

type Props = {
  name: string
  columns: Offer['columns']
  asked?: Asked
  sent: Uploaded
  batch: Batch
  onChecked(): void
}

/** Which column of the file is which field; guessed already, with what stands in it beside the choice. */
export function ColumnsStep({ name, columns, asked, sent, batch, onChecked }: Props) {
  const say = useTexts<typeof locale>('kit/page/import')
  const slice = useTexts(name)
  const act = useDeed(name)
  const [mapping, setMapping] = useState(sent.mapping)
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const [busy, setBusy] = useState(false)
  const [form] = Form.useForm<Values>()
  const isChecking = busy || batch.state === 'CHECKING'
  const options = sent.head.map((head, value) => ({
    value,
    label: head.trim() || say('column-number', { number: value + 1 }),
  }))
  const choose = (field: string, column: number | undefined) => {
    const { [field]: _, ...others } = mapping
    setMapping(column === undefined ? others : { ...others, [field]: column })
    setErrors(({ [field]: __, ...rest }) => rest)
  }
  const check = async () => {
    const said = asked && (await saidIn(form, asked))
    // What is missing stands beside its field.
    if (asked && !said) return
    setBusy(true)
    const refused = await act(() => post(`/${name}/import/${batch.id}/check`, { mapping, ...(said && { said }) }))
    setErrors(fieldsIn(refused, 'mapping'))
    if (asked)
      form.setFields(
        Object.entries(fieldsIn(refused, 'said')).map(([field, text]) => ({ name: field, errors: [text] })),
      )
    if (refused === null) onChecked()
    setBusy(false)
  }
  return (
    <>
      {sent.before && <SentBefore before={sent.before} />}
      {asked && (
        <Form form={form} layout="vertical" initialValues={emptyValues(asked.resource, asked.fields)}>
          <FormFields resource={asked.resource} fields={asked.fields} inputs={{}} isShown={asked.isShown} />
        </Form>
      )}
      <p className="inkstone-note">{say('columns-intro')}</p>
      <Table
        size="small"
        rowKey="field"
        pagination={false}
        dataSource={[...columns]}
        columns={[
          {
            title: say('field'),
            dataIndex: 'field',
            width: '28%',
            render: (field: string, { isRequired }) => (
              <>
                {slice(`field.${field}`)}
                {isRequired && <span className="inkstone-required"> *</span>}
              </>
            ),
          },
          {
            title: say('column'),
            width: '36%',
            render: (_, { field }) => (
              <Form.Item
                style={{ margin: 0 }}
                {...(errors[field] ? { validateStatus: 'error' as const, help: errors[field] } : {})}
              >
                <Select
                  aria-label={slice(`field.${field}`)}
                  allowClear
                  showSearch={{ optionFilterProp: 'label' }}
                  style={{ width: '100%' }}
                  placeholder={say('column-none')}
                  options={options}
                  value={mapping[field] ?? null}
                  onChange={column => choose(field, column ?? undefined)}
                />
              </Form.Item>
            ),
          },
          { title: say('sample'), ellipsis: true, render: (_, { field }) => sampleOf(sent, mapping[field]) },
        ]}
      />
      <div className="inkstone-import-foot">
        {isChecking && <span>{say('checking-way', { done: batch.progress })}</span>}
        <Button type="primary" loading={isChecking} onClick={() => void check()}>
          {say('check')}
        </Button>
      </div>
    </>
  )
}

function SentBefore({ before: { by, at, rows } }: { before: NonNullable<Uploaded['before']> }) {
  const say = useTexts<typeof locale>('kit/page/import')
  return (
    <Alert
      type="warning"
      showIcon
      style={{ marginBottom: 12 }}
      title={say('imported-before', { name: by, time: formatInstant(new Date(at)), rows })}
    />
  )
}

/** What was entered, once nothing is missing in it. */
async function saidIn(form: FormInstance<Values>, { resource, fields, isShown }: Asked): Promise<Values | undefined> {
  const entered = await form.validateFields().catch(() => undefined)
  if (!entered) return undefined
  const shown = Object.fromEntries(Object.entries(entered).filter(([field]) => isShown(field, entered)))
  return asBody(resource, fields, shown)
}

/** A refusal names the field by its place in what was sent; a column also by its name alone. */
const fieldsIn = (refused: Readonly<Record<string, string>> | null, part: 'mapping' | 'said'): Record<string, string> =>
  Object.fromEntries(
    Object.entries(refused ?? {})
      .filter(([name]) => name.startsWith('said.') === (part === 'said'))
      .map(([name, text]) => [name.replace(`${part}.`, ''), text]),
  )

const sampleOf = ({ sample }: Uploaded, column: number | undefined): string =>
  column === undefined
    ? '–'
    : sample
        .map(cells => cells[column] ?? '')
        .filter(cell => cell !== '')
        .join(', ') || '–'
