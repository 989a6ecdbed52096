import { Button, Skeleton, Tooltip } from 'antd'
import { lazy, Suspense, useId, useState } from 'react'
import { Instant } from '#kit/page/field/show.tsx'
import { useTexts } from '#kit/page/language.ts'
import { LoadFailed } from '#kit/page/load-failed.tsx'
import { useTab } from '#kit/page/tab.ts'
import { StateTag } from '#kit/page/tone.tsx'
import { mayDo, useUser } from '#kit/page/user.ts'
import type { locale } from './locale.ts'
import { inUnit, resource, type ShownSetting } from './model.ts'
import { useGroups } from './use-groups.page.tsx'

const ChangeModal = lazy(async () => ({ default: (await import('./change.page.tsx')).ChangeModal }))
const History = lazy(async () => ({ default: (await import('./history.page.tsx')).History }))

/** What somebody is about to enter: a value to begin with, and why, where an old one is restored. */
export type Entering = { readonly setting: ShownSetting; readonly value?: number; readonly reason?: string }

/** All settings by group, with what is in force and what waits for a second person. */
export function SettingsView() {
  const say = useTexts<typeof locale>(resource.screen.name)
  const tab = useTab()
  const id = useId()
  const [entering, enter] = useState<Entering>()
  const { data, error, refetch } = useGroups()
  if (error && !data) return <LoadFailed error={error} onRetry={refetch} />
  if (!data) return <Skeleton active />
  const looked = data.flatMap(({ settings }) => settings).find(({ key }) => key === tab.search.get('setting'))
  const place = (group: string) => `${id}${group}`
  return (
    <div className="config">
      <nav aria-label={say('groups')}>
        {data.map(({ group, title }) => (
          <Button key={group} type="text" onClick={() => document.getElementById(place(group))?.scrollIntoView()}>
            {title}
          </Button>
        ))}
      </nav>
      <div>
        {data.map(({ group, title, settings }) => (
          <section key={group} aria-labelledby={place(group)}>
            <h2 id={place(group)}>{title}</h2>
            <ul>
              {settings.map(setting => (
                <SettingRow key={setting.key} setting={setting} onEnter={() => enter({ setting })} />
              ))}
            </ul>
          </section>
        ))}
      </div>
      <Suspense>
        {looked && (
          <History setting={looked} onClose={() => tab.change({ setting: undefined }, 'push')} onRestore={enter} />
        )}
        {entering && <ChangeModal {...entering} onClose={() => enter(undefined)} />}
      </Suspense>
    </div>
  )
}

function SettingRow({ setting, onEnter }: { setting: ShownSetting; onEnter(): void }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const tab = useTab()
  const user = useUser()
  const { key, name, help, unit, value, money, proposal } = setting
  const figure = (of: number) => inUnit(say, unit, of)
  return (
    <li>
      <div className="config-name">
        <strong>{name}</strong>
        {money && (
          <Tooltip title={say('two-people-help')}>
            <span>
              <StateTag tone="special">{say('two-people')}</StateTag>
            </span>
          </Tooltip>
        )}
        <p>{help}</p>
        <Since setting={setting} />
      </div>
      <output>{figure(value)}</output>
      <div className="config-actions">
        {mayDo(user, resource.screen.key, 'create') && (
          <Tooltip title={proposal && say('proposal-open')}>
            <Button
              disabled={proposal !== null}
              onClick={onEnter}
              aria-label={`${say(money ? 'propose' : 'change')} · ${name}`}
            >
              {say(money ? 'propose' : 'change')}
            </Button>
          </Tooltip>
        )}
        <Button
          type="text"
          onClick={() => tab.change({ setting: key }, 'push')}
          aria-label={`${say('history')} · ${name}`}
        >
          {say('history')}
        </Button>
      </div>
      {proposal && (
        <p className="config-proposal">
          <StateTag tone="attention">{say('status.PROPOSED')}</StateTag>
          <span>
            {say('proposed', { name: proposal.by ?? '', value: figure(proposal.value) })} · <Instant at={proposal.at} />
          </span>
          {mayDo(user, resource.screen.key, 'detail') && (
            <Button type="link" size="small" onClick={() => tab.change({ view: 'changes', open: proposal.id }, 'push')}>
              {say('look')}
            </Button>
          )}
        </p>
      )}
    </li>
  )
}

/** Whether anybody has changed it, who, when, and what it would be otherwise. */
function Since({ setting: { unit, change, default: usual } }: { setting: ShownSetting }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const standard = say('default-value', { value: inUnit(say, unit, usual) })
  if (!change)
    return (
      <small>
        {standard} · {say('never-changed')}
      </small>
    )
  const who = change.by === null ? say('taken-over') : say('changed-by', { name: change.by })
  return (
    <small>
      {[standard, who, ...(change.decidedBy === null ? [] : [say('confirmed-by', { name: change.decidedBy })])].join(
        ' · ',
      )}{' '}
      · <Instant at={change.at} /> · {change.reason}
    </small>
  )
}
