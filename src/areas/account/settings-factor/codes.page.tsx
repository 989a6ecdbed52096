import { CopyOutlined, DownloadOutlined, PrinterOutlined } from '@ant-design/icons'
import { Alert, Button, Space } from 'antd'
import { save } from '#kit/page/call.ts'
import { useCopy } from '#kit/page/clipboard.ts'
import { useTexts } from '#kit/page/language.ts'
import { area } from '../area.ts'
import type { locale } from './locale.ts'

/** The recovery codes, for as long as this is open and never again. */
export function Codes({ codes, onKept }: { codes: readonly string[]; onKept(): void }) {
  const say = useTexts<typeof locale>(area.screens['settings-factor'].name)
  const copy = useCopy()
  const text = codes.join('\n')
  return (
    <>
      <h3>{say('codes-title')}</h3>
      <Alert className="center-note" type="warning" showIcon title={say('codes-about')} />
      <ul className="center-codes">
        {codes.map(code => (
          <li key={code} className="inkstone-code">
            {code}
          </li>
        ))}
      </ul>
      <Space wrap>
        <Button icon={<CopyOutlined aria-hidden />} onClick={() => void copy(text)}>
          {say('copy-codes')}
        </Button>
        <Button
          icon={<DownloadOutlined aria-hidden />}
          onClick={() => save(new Blob([`${text}\n`], { type: 'text/plain' }), say('codes-file'))}
        >
          {say('save-codes')}
        </Button>
        <Button icon={<PrinterOutlined aria-hidden />} onClick={printCodes}>
          {say('print-codes')}
        </Button>
        <Button type="primary" onClick={onKept}>
          {say('kept')}
        </Button>
      </Space>
    </>
  )
}

/** The codes and nothing of the frame; any other print of the console is as it was. */
function printCodes(): void {
  document.body.classList.add('center-printing')
  try {
    window.print()
  } finally {
    document.body.classList.remove('center-printing')
  }
}
