import { CheckOutlined, CloseOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Select, Skeleton } from 'antd'
import { useState } from 'react'
import { inOneLine } from '#kit/model/language.ts'
import { post } from '#kit/page/call.ts'
import { SmallTable } from '#kit/page/detail/small-table.tsx'
import { ReferencePicker } from '#kit/page/field/reference-picker.tsx'
import { useLanguage, useTexts } from '#kit/page/language.ts'
import { LoadFailed } from '#kit/page/load-failed.tsx'
import { SideDrawer } from '#kit/page/side-drawer.tsx'
import type { Effective as Answer, Verdict } from './effective.model.ts'
import type { locale } from './locale.ts'
import { resource, type ScopeKind } from './model.ts'
import { usePermissionTree } from './permissions.page.tsx'
import './role.css'

const WIDTH = 720

/** Asks of somebody what he may do, and why. */
export function EffectiveButton() {
  const say = useTexts<typeof locale>(resource.screen.name)
  const [isOpen, setOpen] = useState(false)
  const [staffId, setStaffId] = useState('')
  return (
    <>
      <Button onClick={() => setOpen(true)}>{say('effective')}</Button>
      <SideDrawer open={isOpen} size={WIDTH} onClose={() => setOpen(false)} title={say('effective')}>
        <div className="role-tools">
          <div className="role-pick">
            <ReferencePicker
              to="staff"
              aria-label={say('field.person')}
              placeholder={say('field.person')}
              value={staffId}
              onChange={setStaffId}
            />
          </div>
        </div>
        {staffId !== '' && <Effective key={staffId} staffId={staffId} />}
      </SideDrawer>
    </>
  )
}

/** What one person may do on a page: each action with the roles that allow it, or those that would. */
export function Effective({ staffId }: { staffId: string }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const { data: tree = [] } = usePermissionTree()
  const [page, setPage] = useState<string>()
  const { data, error, refetch } = useQuery({
    queryKey: [resource.screen.name, 'effective', staffId, page],
    queryFn: ({ signal }) => post<Answer>(`/${resource.screen.name}/effective`, { staffId, page }, { signal }),
    enabled: page !== undefined,
  })
  return (
    <>
      <div className="role-tools">
        <Select
          className="role-pick"
          aria-label={say('choose-page')}
          placeholder={say('choose-page')}
          showSearch={{ optionFilterProp: 'label' }}
          value={page}
          onChange={setPage}
          options={tree.map(group => ({
            label: group.name,
            options: group.pages.map(({ key, name }) => ({ value: key, label: name })),
          }))}
        />
      </div>
      {error && !data && <LoadFailed error={error} onRetry={refetch} />}
      {page !== undefined && !data && !error && <Skeleton active />}
      {data && <Reasons answer={data} />}
    </>
  )
}

function Reasons({ answer: { person, verdicts, reaches, fields } }: { answer: Answer }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const language = useLanguage()
  const listed = (names: readonly string[]) => inOneLine(language, names)
  const why = ({ isHeld, by, elsewhere }: Verdict) => {
    if (isHeld) return say('allowed-by', { roles: listed(by) })
    if (by.length > 0) return say('account-shut')
    const mine = person.roles.length > 0 ? say('held-by-none', { roles: listed(person.roles) }) : say('no-roles')
    return elsewhere.length > 0 ? `${mine} ${say('held-elsewhere', { roles: listed(elsewhere) })}` : mine
  }
  return (
    <>
      {!person.isEnabled && <Alert type="warning" showIcon title={say('account-shut')} />}
      {person.isEnabled && person.first && <Alert type="warning" showIcon title={say(`first.${person.first}`)} />}
      {person.isSuperAdmin && <Alert type="info" showIcon title={say('holds-all')} />}
      <SmallTable<Verdict & { id: string }>
        rows={verdicts.map(verdict => ({ ...verdict, id: verdict.key }))}
        scroll={{}}
        columns={[
          {
            title: say('field.permissions'),
            render: (_, { name }, at) => (at === 0 ? say('opens', { page: name }) : name),
          },
          { title: say('may'), render: (_, { isHeld }) => <Sign isYes={isHeld} />, width: 64 },
          { title: say('why'), render: (_, verdict) => why(verdict) },
        ]}
      />
      <h3>{say('field.scope')}</h3>
      {reaches === null && <p>{say('rows-shared')}</p>}
      {reaches?.length === 0 && <p>{say('rows-none')}</p>}
      {reaches?.map(({ role, scope, departments }) => (
        <p key={role}>
          {say('rows-by', { role, scope: say(`scope.${scope as ScopeKind}`) })}
          {departments.length > 0 && <span className="inkstone-note"> {listed(departments)}</span>}
        </p>
      ))}
      {fields.length > 0 && <h3>{say('masked')}</h3>}
      {fields.map(({ name, isOpen, right, by }) => (
        <p key={name}>
          <Sign isYes={isOpen} /> {name}{' '}
          <span className="inkstone-note">
            {right === null ? say('opened-by-nobody') : say('opened-by', { action: right })}
            {isOpen && ` · ${say('allowed-by', { roles: listed(by) })}`}
          </span>
        </p>
      ))}
    </>
  )
}

function Sign({ isYes }: { isYes: boolean }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  return isYes ? (
    <CheckOutlined aria-label={say('yes')} className="role-yes" />
  ) : (
    <CloseOutlined aria-label={say('no')} className="role-no" />
  )
}
