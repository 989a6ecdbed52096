import { MoreOutlined } from '@ant-design/icons'
import { Button, Dropdown, type MenuProps, Space, Tooltip } from 'antd'
import type { Resource } from '#kit/model/resource.ts'
import { useTexts } from '../language.ts'
import type { locale } from '../locale.ts'
import type { AnyWorkflow } from '../step.tsx'
import type { Row } from './list-state.ts'

/** Another screen a row leads to, such as asking a refund on an order; absent when it makes no sense for the row. */
export type RowLink = { readonly text: string; readonly path: string }

type Props = {
  resource: Resource
  workflow: AnyWorkflow | undefined
  row: Row
  links: readonly RowLink[]
  may: { update: boolean; delete: boolean }
  on: { step(name: string): void; open(): void; edit(): void; remove(): void; follow(path: string): void }
}

/** The one action the row's state asks for comes first, at most one more beside it, the rest under "…". */
export function RowActions({ resource, workflow, row, links, may, on }: Props) {
  const kit = useTexts<typeof locale>('kit/page')
  const say = useTexts(resource.screen.name)
  const held = Object.keys(workflow?.steps ?? {}).filter(name => name in row.steps)
  const [first] = held.filter(name => row.steps[name] === null)
  const items: NonNullable<MenuProps['items']> = [
    ...links.map(({ text, path }) => ({ key: path, label: text, onClick: () => on.follow(path) })),
    ...held
      .filter(name => name !== first)
      .map(name => {
        const refusal = row.steps[name]
        return {
          key: name,
          disabled: refusal !== null,
          danger: workflow?.steps[name]?.danger ?? false,
          label: (
            <Tooltip title={refusal?.msg} placement="left">
              {say(`step.${name}` as never)}
            </Tooltip>
          ),
          onClick: () => on.step(name),
        }
      }),
    ...(may.update ? [{ key: 'edit', label: kit('edit'), onClick: on.edit }] : []),
    ...(may.delete
      ? [{ type: 'divider' as const }, { key: 'delete', label: kit('delete'), danger: true, onClick: on.remove }]
      : []),
  ]
  return (
    <Space size={0}>
      {first && (
        <Button type="link" size="small" onClick={() => on.step(first)}>
          {say(`step.${first}` as never)}
        </Button>
      )}
      <Button type="link" size="small" onClick={on.open}>
        {kit('detail')}
      </Button>
      {items.length > 0 && (
        <Dropdown menu={{ items }} trigger={['click']}>
          <Button type="text" size="small" aria-label={kit('more')} icon={<MoreOutlined />} />
        </Dropdown>
      )}
    </Space>
  )
}
