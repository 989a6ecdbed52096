import { Alert, Button, Form, Select, Table } from 'antd'
import { useState } from 'react'
import { formatInstant } from '#kit/model/time.ts'
import { post } from '../call.ts'
import { useTexts } from '../language.ts'
import type { locale } from './locale.ts'
import { type Batch, type Offer, type Uploaded, useDeed } from './use-import.ts'

type Props = {
  name: string
  columns: Offer['columns']
  sent: Uploaded
  batch: Batch
  onChecked(): void
}

/** Which column of the file is which field; guessed already, with what stands in it beside the choice. */
export function ColumnsStep({ name, columns, sent, batch, onChecked }: Props) {
  const say = useTexts<typeof locale>('kit/page/import')
  const slice = useTexts(name)
  const act = useDeed(name)
  const [mapping, setMapping] = useState(sent.mapping)
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const [busy, setBusy] = useState(false)
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
    setBusy(true)
    const refused = await act(() => post(`/${name}/import/${batch.id}/check`, { mapping }))
    setErrors(fieldsIn(refused))
    if (refused === null) onChecked()
    setBusy(false)
  }
  return (
    <>
      {sent.before && (
        <Alert
          type="warning"
          showIcon
          style={{ marginBottom: 12 }}
          title={say('imported-before', {
            name: sent.before.by,
            time: formatInstant(new Date(sent.before.at)),
            rows: sent.before.rows,
          })}
        />
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

/** A refusal names the field by its place in what was sent. */
const fieldsIn = (refused: Readonly<Record<string, string>> | null): Record<string, string> =>
  Object.fromEntries(Object.entries(refused ?? {}).map(([name, text]) => [name.replace(/^mapping\./, ''), text]))

const sampleOf = ({ sample }: Uploaded, column: number | undefined): string =>
  column === undefined
    ? '–'
    : sample
        .map(cells => cells[column] ?? '')
        .filter(cell => cell !== '')
        .join(', ') || '–'
