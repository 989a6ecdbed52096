import { ScanOutlined } from '@ant-design/icons'
import { Input } from 'antd'
import { useState } from 'react'
import { CallFailed, post } from '#kit/page/call.ts'
import { useTexts } from '#kit/page/language.ts'
import { later } from '#kit/page/later.tsx'
import type { locale as kitLocale } from '#kit/page/locale.ts'
import { useNotices } from '#kit/page/notice.tsx'
import type { locale } from './locale.ts'
import { type FoundCode, resource } from './model.ts'

const Found = later(async () => (await import('./found.page.tsx')).Found)

/** A code is typed or scanned here; what it is stands below, with what may be done with it. */
export function Desk() {
  const say = useTexts<typeof locale>(resource.screen.name)
  const kit = useTexts<typeof kitLocale>('kit/page')
  const notices = useNotices()
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState(false)
  const [wrong, setWrong] = useState<string>()
  const [found, setFound] = useState<{ code: string; what: FoundCode }>()
  const look = async (code: string) => {
    setBusy(true)
    setWrong(undefined)
    try {
      setFound({ code, what: await post<FoundCode>(`/${resource.screen.name}/look`, { code }) })
    } catch (error) {
      setFound(undefined)
      if (error instanceof CallFailed && error.fields.code) setWrong(error.fields.code)
      else notices.failed(error, kit('load-failed'))
    } finally {
      setBusy(false)
    }
  }
  const clear = () => {
    setTyped('')
    setWrong(undefined)
    setFound(undefined)
  }
  return (
    <div style={{ marginBottom: 12 }}>
      <div style={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 8 }}>
        <Input.Search
          aria-label={say('enter-code')}
          placeholder={say('enter-code')}
          prefix={<ScanOutlined aria-hidden />}
          enterButton={say('look')}
          allowClear
          maxLength={100}
          loading={busy}
          value={typed}
          {...(wrong === undefined ? {} : { status: 'error' as const })}
          onChange={event => (event.target.value === '' ? clear() : setTyped(event.target.value))}
          onSearch={code => code.trim() !== '' && void look(code.trim())}
          style={{ flex: '0 1 440px', minWidth: 0 }}
        />
        {wrong !== undefined && (
          <span role="alert" style={{ color: 'var(--ant-color-error-text)' }}>
            {wrong}
          </span>
        )}
      </div>
      {found && <Found key={found.code} {...found} onDone={clear} onChanged={() => void look(found.code)} />}
    </div>
  )
}
