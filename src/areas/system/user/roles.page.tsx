import { useQuery } from '@tanstack/react-query'
import { Select, Tooltip } from 'antd'
import { get } from '#kit/page/call.ts'
import { TabLeaves } from '#kit/page/field/tab-leaves.tsx'
import { MAX_ROLES, type OfferedRole, resource } from './model.ts'

type Props = { id?: string; value?: string[]; onChange?: (roleIds: string[]) => void }

/** The roles there are; those the giver may not give are closed, with the reason, and stay where somebody has them. */
export function RolesInput({ value = [], ...control }: Props) {
  const { data } = useQuery({
    queryKey: [resource.screen.name, 'roles'],
    queryFn: ({ signal }) => get<OfferedRole[]>(`/${resource.screen.name}/roles`, { signal }),
  })
  return (
    <TabLeaves>
      <Select
        {...control}
        value={value}
        mode="multiple"
        maxCount={MAX_ROLES}
        loading={!data}
        style={{ width: '100%' }}
        showSearch={{ optionFilterProp: 'name' }}
        options={(data ?? []).map(({ id, name, why }) => ({
          value: id,
          name,
          disabled: why !== null && !value.includes(id),
          label: (
            <Tooltip title={why} placement="left">
              {name}
            </Tooltip>
          ),
        }))}
      />
    </TabLeaves>
  )
}
