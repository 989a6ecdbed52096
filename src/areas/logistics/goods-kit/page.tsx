import { Space, Tag } from 'antd'
import { lazy } from 'react'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { PartList } from '../parts.page.tsx'
import { type GoodsKit, resource, workflow } from './model.ts'

const PartsInput = lazy(async () => ({ default: (await import('./parts-input.page.tsx')).PartsInput }))

export function Page() {
  return (
    <ListPage
      resource={resource}
      workflow={workflow}
      inputs={{ parts: () => <PartsInput /> }}
      shows={{
        parts: (kit: GoodsKit) => <PartList parts={kit.parts} />,
        usedBy: (kit: GoodsKit) => (
          <Space wrap size={4}>
            {kit.usedBy.map(({ id, name, code, onSale }) => (
              <Tag key={id} title={code} color={onSale ? 'green' : 'default'}>
                {name}
              </Tag>
            ))}
          </Space>
        ),
      }}
    />
  )
}
