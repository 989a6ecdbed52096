import { Alert, Button, Input } from 'antd'
import { useRef, useState } from 'react'
import { upload } from '#kit/page/call.ts'
import { SmallTable } from '#kit/page/detail/small-table.tsx'
import { useTexts } from '#kit/page/language.ts'
import { useNotices } from '#kit/page/notice.tsx'
import type { locale } from './locale.ts'
import { type FileNumbers, MAX_AUDIENCE, MAX_FILE_ROWS, type RefusedRow } from './model.ts'

export type Pasted = { id?: string; value?: string; onChange?: (numbers: string) => void }
type Read = FileNumbers & { readonly name: string }

/** Numbers somebody pastes, or those of a file, of which every row that gave none is named. */
export function NumbersInput({ screen, id, value, onChange }: Pasted & { screen: string }) {
  const say = useTexts<typeof locale>('engines/audience')
  const notices = useNotices()
  const file = useRef<HTMLInputElement>(null)
  const [read, setRead] = useState<Read>()
  const [isBusy, setBusy] = useState(false)
  const open = async (chosen: File | undefined) => {
    if (!chosen) return
    setBusy(true)
    try {
      const found = await upload<FileNumbers>(`/${screen}/numbers-file`, chosen)
      setRead({ ...found, name: chosen.name })
      onChange?.(found.phones.join('\n'))
    } catch (error) {
      notices.failed(error, say('file-failed'))
    }
    setBusy(false)
  }
  return (
    <>
      <Input.TextArea
        {...(id === undefined ? {} : { id })}
        value={value}
        onChange={({ target }) => onChange?.(target.value)}
        autoSize={{ minRows: 4, maxRows: 10 }}
        placeholder={say('numbers-paste')}
      />
      <div>
        <Button size="small" loading={isBusy} onClick={() => file.current?.click()}>
          {say('numbers-file')}
        </Button>
        <input
          ref={file}
          type="file"
          accept=".xlsx,.csv,.txt"
          hidden
          aria-label={say('numbers-file')}
          onChange={({ target }) => {
            void open(target.files?.[0])
            // The same file, mended, may be chosen again.
            target.value = ''
          }}
        />
        <div className="inkstone-note">{say('numbers-limits', { max: MAX_AUDIENCE, rows: MAX_FILE_ROWS })}</div>
      </div>
      {read && <ReadTold read={read} />}
    </>
  )
}

function ReadTold({ read: { name, phones, refused } }: { read: Read }) {
  const say = useTexts<typeof locale>('engines/audience')
  const told = say('file-read', { name, count: phones.length })
  if (refused.length === 0) return <Alert type="success" showIcon title={told} />
  return (
    <>
      <Alert type="warning" showIcon title={told} description={say('file-refused', { count: refused.length })} />
      <RefusedRows key={`${name} ${refused.length}`} refused={refused} />
    </>
  )
}

const SIZE = 5

function RefusedRows({ refused }: { refused: readonly RefusedRow[] }) {
  const say = useTexts<typeof locale>('engines/audience')
  const [current, setCurrent] = useState(1)
  return (
    <SmallTable<RefusedRow>
      rowKey="no"
      rows={refused.slice((current - 1) * SIZE, current * SIZE)}
      page={{ current, size: SIZE, total: refused.length, onChange: setCurrent }}
      columns={[
        { key: 'no', title: say('row'), width: 80, render: (_, { no }) => no },
        {
          key: 'why',
          title: say('why'),
          render: (_, { why, first }) => say(`why.${why}`, { first: first ?? 0 }),
        },
      ]}
    />
  )
}
