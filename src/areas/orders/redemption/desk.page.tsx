import { ScanOutlined } from '@ant-design/icons'
import { Button, Card, Descriptions, Input, Space, Tooltip, Typography } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { GrantList } from '#engines/entitlement/grants.page.tsx'
import { CallFailed, post } from '#kit/page/call.ts'
import { Instant, MISSING } from '#kit/page/field/show.tsx'
import { useTexts } from '#kit/page/language.ts'
import { useReload } from '#kit/page/list/list-state.ts'
import type { locale as kitLocale } from '#kit/page/locale.ts'
import { useNotices } from '#kit/page/notice.tsx'
import { StateTag } from '#kit/page/tone.tsx'
import { mayDo, useUser } from '#kit/page/user.ts'
import type { locale } from './locale.ts'
import { type FoundCode, resource } from './model.ts'

const RedeemModal = lazy(async () => ({ default: (await import('./redeem.page.tsx')).RedeemModal }))
const VoidModal = lazy(async () => ({ default: (await import('./void.page.tsx')).VoidModal }))

const TONES = { UNUSED: 'busy', REDEEMED: 'done', VOID: 'failed' } as const

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
          <Typography.Text type="danger" role="alert">
            {wrong}
          </Typography.Text>
        )}
      </div>
      {found && <Found key={found.code} {...found} onDone={clear} onChanged={() => void look(found.code)} />}
    </div>
  )
}

type FoundProps = { code: string; what: FoundCode; onDone(): void; onChanged(): void }

function Found({ code, what, onDone, onChanged }: FoundProps) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const user = useUser()
  const reload = useReload(resource)
  const [asking, setAsking] = useState<'redeem' | 'void'>()
  const may = (action: string) => mayDo(user, resource.screen.key, action)
  const ended = (how: () => void) => () => {
    setAsking(undefined)
    reload()
    how()
  }
  const close = () => setAsking(undefined)
  return (
    <Card size="small" style={{ marginTop: 12 }}>
      <Space size={12} wrap style={{ marginBottom: 8 }}>
        <Typography.Text strong>{what.batchName}</Typography.Text>
        <span className="inkstone-code">{say('ending', { last4: what.last4 })}</span>
        <StateTag tone={TONES[what.status]}>{say(`code.${what.status}`)}</StateTag>
        {what.whyNot !== null && <Typography.Text type="danger">{what.whyNot}</Typography.Text>}
      </Space>
      <Descriptions
        size="small"
        column={{ xs: 1, md: 3 }}
        items={[
          { key: 'gives', label: say('gives'), children: <GrantList grants={what.grants} /> },
          {
            key: 'valid',
            label: say('valid'),
            children: say('valid-range', { from: what.validFrom, to: what.validTo }),
          },
          { key: 'holder', label: say('holder'), children: <Holder holder={what.holder} /> },
        ]}
      />
      <Space style={{ marginTop: 12 }}>
        {may('redeem') && (
          <Tooltip title={what.whyNot}>
            <Button type="primary" disabled={what.whyNot !== null} onClick={() => setAsking('redeem')}>
              {say('redeem')}
            </Button>
          </Tooltip>
        )}
        {may('void') && (
          <Button danger disabled={what.status !== 'UNUSED'} onClick={() => setAsking('void')}>
            {say('void')}
          </Button>
        )}
      </Space>
      <Suspense>
        {asking === 'redeem' && <RedeemModal code={code} what={what} onClose={close} onDone={ended(onDone)} />}
        {asking === 'void' && <VoidModal code={code} what={what} onClose={close} onDone={ended(onChanged)} />}
      </Suspense>
    </Card>
  )
}

function Holder({ holder }: Pick<FoundCode, 'holder'>) {
  if (!holder) return MISSING
  return (
    <Space size={8}>
      {holder.name}
      <span className="inkstone-note">{holder.note}</span>
      <Instant at={holder.redeemedAt} />
    </Space>
  )
}
