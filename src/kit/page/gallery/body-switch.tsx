import { AppstoreOutlined, TableOutlined } from '@ant-design/icons'
import { Segmented, Tooltip } from 'antd'
import type { Resource } from '#kit/model/resource.ts'
import { useTexts } from '../language.ts'
import { type Body, useBody } from '../list/body.ts'
import type { locale } from './locale.ts'

const SIGNS: readonly (readonly [Body, typeof TableOutlined])[] = [
  ['table', TableOutlined],
  ['gallery', AppstoreOutlined],
]

/** Whether rows are read or looked at. */
export function BodySwitch({ resource }: { resource: Resource }) {
  const say = useTexts<typeof locale>('kit/page/gallery')
  const [body, choose] = useBody(resource)
  return (
    <Segmented<Body>
      aria-label={say('body')}
      value={body}
      onChange={choose}
      options={SIGNS.map(([value, Sign]) => ({
        value,
        icon: (
          <Tooltip title={say(value)}>
            <Sign aria-label={say(value)} />
          </Tooltip>
        ),
      }))}
    />
  )
}
