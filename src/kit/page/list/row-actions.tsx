import { MoreOutlined } from '@ant-design/icons'
import { Button, Dropdown, type MenuProps, Space, Tooltip } from 'antd'
import type { ReactNode } from 'react'
import type { Resource } from '#kit/model/resource.ts'
import { useTexts } from '../language.ts'
import type { locale } from '../locale.ts'
import { blockedStep, mainStep, offeredSteps } from '../step.tsx'
import type { AnyWorkflow } from '../step-types.ts'
import { useTab } from '../tab.ts'
import { useAnswer, useHeld } from './list-context.ts'
import type { Row } from './list-state.ts'
import type { RowLink } from './row-link.ts'
import type { Listed } from './use-list.ts'

type Props = {
  resource: Resource
  workflow: AnyWorkflow | undefined
  row: Row
  links: readonly RowLink[]
  list: Listed
}

/** What stands in sight, and what is folded away behind one button: nothing where there is nothing of the kind. */
type Actions = { near: ReactNode; more: ReactNode }
type Items = NonNullable<MenuProps['items']>

/** The one action the row's state asks for comes first, closed with its reason where a rule forbids it, at most one more beside it, the rest under "…". */
function useRowActions({ resource, workflow, row, links, list }: Props): Actions {
  const kit = useTexts<typeof locale>('kit/page')
  const say = useTexts(resource.screen.name)
  const items = useFolded({ resource, workflow, row, links, list })
  const first = mainStep(workflow, row)
  const blocked = blockedStep(workflow, row)
  // One more action is as near as the button that would hide it; what destroys, or leads elsewhere, stays behind it.
  const [second] = items.length === 1 && links.length === 0 ? items : []
  const beside = second && 'label' in second && !('danger' in second && second.danger) ? second : undefined
  return {
    near: (first || blocked || beside) && (
      <>
        {first && (
          <Button type="link" size="small" onClick={() => list.step(first, [row.id])}>
            {say(`step.${first}`)}
          </Button>
        )}
        {blocked && (
          <Tooltip title={row.steps[blocked]?.msg}>
            <Button type="link" size="small" disabled>
              {say(`step.${blocked}`)}
            </Button>
          </Tooltip>
        )}
        {beside && (
          <Button
            type="link"
            size="small"
            disabled={('disabled' in beside && beside.disabled) || false}
            onClick={() => 'onClick' in beside && (beside.onClick as () => void)()}
          >
            {beside.label}
          </Button>
        )}
      </>
    ),
    more: items.length > 0 && !beside && (
      <Dropdown menu={{ items }} trigger={['click']}>
        <Button type="text" size="small" aria-label={kit('more')} icon={<MoreOutlined />} />
      </Dropdown>
    ),
  }
}

/** Everything else that may be done with the row. */
function useFolded({ resource, workflow, row, links, list }: Props): Items {
  const kit = useTexts<typeof locale>('kit/page')
  const say = useTexts(resource.screen.name)
  const tab = useTab()
  const shown = [mainStep(workflow, row), blockedStep(workflow, row)]
  return [
    ...links.map(({ text, path, why }) => ({
      key: path,
      disabled: why !== undefined,
      label: (
        <Tooltip title={why} placement="left">
          {text}
        </Tooltip>
      ),
      onClick: () => tab.open(path),
    })),
    ...offeredSteps(workflow, row)
      .filter(name => !shown.includes(name))
      .map(name => {
        const refusal = row.steps[name]
        return {
          key: name,
          disabled: refusal !== null,
          danger: workflow?.steps[name]?.danger ?? false,
          label: (
            <Tooltip title={refusal?.msg} placement="left">
              {say(`step.${name}`)}
            </Tooltip>
          ),
          onClick: () => list.step(name, [row.id]),
        }
      }),
    ...(list.rights.may('update') ? [{ key: 'edit', label: kit('edit'), onClick: () => list.edit(row.id) }] : []),
    ...(list.rights.may('delete')
      ? [
          { type: 'divider' as const },
          {
            key: 'delete',
            disabled: row.steps.delete != null,
            label: (
              <Tooltip title={row.steps.delete?.msg} placement="left">
                {kit('delete')}
              </Tooltip>
            ),
            danger: true,
            onClick: () => list.remove([row.id]),
          },
        ]
      : []),
  ]
}

/** What may be done with a row of the list it stands in: for whoever has two places for it. */
export function useActionsOf(row: Row): Actions {
  const { resource, workflow, list, links } = useHeld()
  return useRowActions({ resource, workflow, row, links: links(row), list })
}

/** Whether there is anything to be done with rows of this list: where there is not, no column stands empty for it. */
export function useIsActed(): boolean {
  const { workflow, list, links } = useHeld()
  const { rows } = useAnswer()
  const { may } = list.rights
  return workflow !== undefined || may('update') || may('delete') || rows.some(row => links(row).length > 0)
}

/** The same in one line. */
export function ActionsOf({ row }: { row: Row }) {
  const { near, more } = useActionsOf(row)
  return (
    <Space size={0}>
      {near}
      {more}
    </Space>
  )
}
