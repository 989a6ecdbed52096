import { useQuery } from '@tanstack/react-query'
import { Button, Skeleton, Timeline } from 'antd'
import type { Paged } from '#kit/model/contract.ts'
import type { RowOf } from '#kit/model/resource.ts'
import { formatInstant } from '#kit/model/time.ts'
import { get } from '#kit/page/call.ts'
import { Instant } from '#kit/page/field/show.tsx'
import { useLanguage, useTexts } from '#kit/page/language.ts'
import { LoadFailed } from '#kit/page/load-failed.tsx'
import { SideDrawer } from '#kit/page/side-drawer.tsx'
import { StateTag } from '#kit/page/tone.tsx'
import { mayDo, useUser } from '#kit/page/user.ts'
import type { locale } from './locale.ts'
import { inUnit, resource, type ShownSetting } from './model.ts'
import type { Entering } from './settings.page.tsx'

type Row = RowOf<typeof resource>
type Props = { setting: ShownSetting; onClose(): void; onRestore(entering: Entering): void }

/** The newest come first; older ones stand in the list of changes. */
const SHOWN = 50
const TONES = {
  PROPOSED: 'attention',
  IN_FORCE: 'done',
  REPLACED: 'idle',
  REFUSED: 'failed',
  WITHDRAWN: 'idle',
} as const

/** What a setting has been, from when, by whom and why; each value it once had can be entered again. */
export function History({ setting, onClose, onRestore }: Props) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const language = useLanguage()
  const user = useUser()
  const { key, name, value, proposal } = setting
  const { data, error, refetch } = useQuery({
    queryKey: [resource.screen.name, 'history', key, language],
    queryFn: ({ signal }) => get<Paged<Row>>(`/${resource.screen.name}`, { query: { key, size: SHOWN }, signal }),
  })
  const mayRestore = mayDo(user, resource.screen.key, 'create') && proposal === null
  const figure = (of: number) => inUnit(say, setting.unit, of)
  const restore = (of: number, reason: string, label: string) =>
    mayRestore &&
    of !== value && (
      <Button size="small" onClick={() => onRestore({ setting, value: of, reason })}>
        {label}
      </Button>
    )
  return (
    <SideDrawer open size={560} title={say('history-title', { name })} onClose={onClose}>
      {error && !data && <LoadFailed error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton active />}
      {data && (
        <Timeline
          items={[
            ...data.records.map(row => ({
              key: row.id,
              content: (
                <Told row={row}>
                  {row.status === 'REPLACED' &&
                    restore(row.value, say('restore-reason', { at: shownDay(row.inForceAt) }), say('restore'))}
                </Told>
              ),
            })),
            {
              key: 'default',
              content: (
                <div className="config-told">
                  <strong>{figure(setting.default)}</strong> <StateTag tone="idle">{say('is-default')}</StateTag>
                  {data.total === 0 && <p>{say('history-empty')}</p>}
                  <p>{restore(setting.default, say('restore-default-reason'), say('restore-default'))}</p>
                </div>
              ),
            },
          ]}
        />
      )}
    </SideDrawer>
  )
}

const shownDay = (at: string | null): string => (at === null ? '' : formatInstant(new Date(at)).slice(0, 16))

function Told({ row, children }: { row: Row; children: React.ReactNode }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const { labels, status, reason, inForceAt, createdAt } = row
  const people = [
    labels.applicantId ? labels.applicantId.name : say('taken-over'),
    ...(labels.decidedBy ? [say('confirmed-by', { name: labels.decidedBy.name })] : []),
  ]
  return (
    <div className="config-told">
      <del>{labels.before?.name}</del> → <strong>{labels.value?.name}</strong>{' '}
      <StateTag tone={TONES[status]}>{say(`status.${status}`)}</StateTag>
      <p>
        {people.join(' · ')} · <Instant at={inForceAt ?? createdAt} />
      </p>
      <p>{reason}</p>
      <p>{children}</p>
    </div>
  )
}
