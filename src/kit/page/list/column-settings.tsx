import { ArrowDownOutlined, ArrowUpOutlined, PushpinOutlined } from '@ant-design/icons'
import { Button, Checkbox } from 'antd'
import type { Resource } from '#kit/model/resource.ts'
import { useTexts } from '../language.ts'
import type { locale } from '../locale.ts'
import { arranged, changeLayout, PLAIN, useLayouts } from './column-layout.ts'
import { useLeftOut } from './left-out.ts'

/** Show, order and pin columns: by keyboard and mouse alike. */
export function ColumnPanel({ resource }: { resource: Resource }) {
  const kit = useTexts<typeof locale>('kit/page')
  const say = useTexts(resource.screen.name)
  const name = resource.screen.name
  const layout = useLayouts(({ layouts }) => layouts[name]) ?? PLAIN
  const order = arranged(resource, layout)
  const leftOut = useLeftOut(({ lists }) => lists[name]?.fields) ?? []
  const toggle = (list: string[], field: string) =>
    list.includes(field) ? list.filter(other => other !== field) : [...list, field]
  const without = (list: string[], field: string, isIn: boolean) => [
    ...list.filter(other => other !== field),
    ...(isIn ? [field] : []),
  ]
  const move = (field: string, by: number) => {
    const from = order.indexOf(field)
    const next = order.filter(other => other !== field)
    next.splice(Math.max(0, from + by), 0, field)
    changeLayout(name, { order: next })
  }
  return (
    <div style={{ width: 300, maxHeight: 420, overflow: 'auto' }}>
      {order.map((field, index) => (
        <div key={field} style={{ display: 'flex', alignItems: 'center', gap: 2 }}>
          <Checkbox
            style={{ flex: 1 }}
            checked={!layout.hidden.includes(field) && !leftOut.includes(field)}
            onChange={({ target }) =>
              changeLayout(name, {
                hidden: without(layout.hidden, field, !target.checked),
                shown: without(layout.shown ?? [], field, target.checked),
              })
            }
          >
            {say(`field.${field}`)}
          </Checkbox>
          <Button
            type="text"
            size="small"
            aria-label={kit('move-up')}
            icon={<ArrowUpOutlined />}
            disabled={index === 0}
            onClick={() => move(field, -1)}
          />
          <Button
            type="text"
            size="small"
            aria-label={kit('move-down')}
            icon={<ArrowDownOutlined />}
            disabled={index === order.length - 1}
            onClick={() => move(field, 1)}
          />
          <Button
            type={layout.pinned.includes(field) ? 'primary' : 'text'}
            size="small"
            aria-label={kit('pin-left')}
            aria-pressed={layout.pinned.includes(field)}
            icon={<PushpinOutlined />}
            onClick={() => changeLayout(name, { pinned: toggle(layout.pinned, field) })}
          />
        </div>
      ))}
      <Button type="link" size="small" onClick={() => changeLayout(name, PLAIN)}>
        {kit('columns-reset')}
      </Button>
    </div>
  )
}
