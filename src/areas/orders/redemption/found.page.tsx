import { Button, Card, Descriptions, Space, Tooltip, Typography } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { GrantList } from '#engines/entitlement/grants.page.tsx'
import { Instant, MISSING } from '#kit/page/field/show.tsx'
import { useTexts } from '#kit/page/language.ts'
import { useReload } from '#kit/page/list/list-state.ts'
import { StateTag } from '#kit/page/tone.tsx'
import { mayDo, useUser } from '#kit/page/user.ts'
import type { locale } from './locale.ts'
import { type FoundCode, resource } from './model.ts'

const RedeemModal = lazy(async () => ({ default: (await import('./redeem.page.tsx')).RedeemModal }))
const VoidModal = lazy(async () => ({ default: (await import('./void.page.tsx')).VoidModal }))

const TONES = { UNUSED: 'busy', REDEEMED: 'done', VOID: 'failed' } as const

type FoundProps = { code: string; what: FoundCode; onDone(): void; onChanged(): void }

/** What a code is, and what may be done with it. */
export function Found({ code, what, onDone, onChanged }: FoundProps) {
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
