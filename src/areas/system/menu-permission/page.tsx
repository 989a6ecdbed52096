import { Flex, Space, Tag } from 'antd'
import type { MenuIcon } from '#kit/model/menu.ts'
import { SmallTable } from '#kit/page/detail/small-table.tsx'
import { Code, MISSING } from '#kit/page/field/show.tsx'
import { useTexts } from '#kit/page/language.ts'
import { later } from '#kit/page/later.tsx'
import { recordPath } from '#kit/page/screens.ts'
import { AreaIcon } from '#kit/page/shell/look/icons.tsx'
import { usePhone } from '#kit/page/shell/look/media.ts'
import { TreePage } from '#kit/page/tree/tree-page.tsx'
import { mayDo, useUser } from '#kit/page/user.ts'
import { area } from '../area.ts'
import type { locale } from './locale.ts'
import { type HeldRight, isAsked, type MenuPermission, resource } from './model.ts'

export function Page() {
  const say = useTexts<typeof locale>(resource.screen.name)
  return (
    <TreePage
      resource={resource}
      inputs={INPUTS}
      isShown={(field, { kind }) => isAsked(field, kind as MenuPermission['kind'])}
      shows={{
        displayType: ({ kind }: MenuPermission) => say(`kind.${kind}`),
        icon: ({ icon }: MenuPermission) => <Icon name={icon as MenuIcon} />,
        keepAlive: ({ kind }: MenuPermission) => !isAsked('keepAlive', kind) && MISSING,
        rights: ({ rights, route }: MenuPermission) => <Rights rights={rights} route={route} />,
      }}
      head={About}
    />
  )
}

// Few entries are set apart from the others.
const About = later(async () => (await import('./about.page.tsx')).About)
const NameInput = later(async () => (await import('./inputs.page.tsx')).NameInput)
const IconInput = later(async () => (await import('./inputs.page.tsx')).IconInput)

const INPUTS = {
  nameZhCn: () => <NameInput language="zh-CN" />,
  nameZhTw: () => <NameInput language="zh-TW" />,
  nameEnUs: () => <NameInput language="en-US" />,
  namePtBr: () => <NameInput language="pt-BR" />,
  icon: () => <IconInput />,
}

function Icon({ name }: { name: MenuIcon }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  return (
    <Space>
      <AreaIcon name={name} />
      {say(`icon.${name}`)}
    </Space>
  )
}

type RightsProps = Pick<MenuPermission, 'rights' | 'route'>

/** The page itself comes first, with the way to it. */
function Rights({ rights, route }: RightsProps) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const isPhone = usePhone()
  return (
    <SmallTable<HeldRight>
      rows={rights}
      // Roles take as many lines as they need, so that the number of people stays in sight.
      scroll={{}}
      columns={[
        {
          title: say('field.name'),
          minWidth: 104,
          render: (_, right, at) => (
            <Flex vertical gap={4}>
              <RightName right={right} route={at === 0 ? route : null} />
              {isPhone && <Roles roles={right.roles} />}
            </Flex>
          ),
        },
        { title: say('field.code'), dataIndex: 'code', render: (code: string) => <Code>{code}</Code> },
        {
          title: say('field.roles'),
          dataIndex: 'roles',
          hidden: isPhone,
          render: (roles: HeldRight['roles']) => <Roles roles={roles} />,
        },
        { title: say('field.people'), dataIndex: 'people', align: 'end', minWidth: 72 },
      ]}
    />
  )
}

function RightName({ right: { name, vanished }, route }: { right: HeldRight; route: string | null }) {
  if (vanished) return <del>{name}</del>
  return route === null ? name : <a href={`#${route}`}>{`${name} ${route}`}</a>
}

function Roles({ roles }: { roles: HeldRight['roles'] }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const mayOpenRole = useUser(user => mayDo(user, area.screens.role.key, 'detail'))
  if (roles.length === 0) return <span className="inkstone-note">{say('no-roles')}</span>
  return (
    <Space size={[4, 4]} wrap>
      {roles.map(({ id, name }) => (
        <Tag key={id}>{mayOpenRole ? <a href={`#${recordPath(area.screens.role.route, id)}`}>{name}</a> : name}</Tag>
      ))}
    </Space>
  )
}
