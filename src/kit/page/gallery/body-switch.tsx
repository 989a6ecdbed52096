import { Segmented, Tooltip } from 'antd'
import type { Resource } from '#kit/model/resource.ts'
import { useTexts } from '../language.ts'
import { type Body, useBody } from '../list/body.ts'
import { Sign } from '../sign.tsx'
import type { locale } from './locale.ts'

const BODIES: readonly Body[] = ['table', 'gallery']

/** Whether rows are read or looked at. */
export function BodySwitch({ resource }: { resource: Resource }) {
  const say = useTexts<typeof locale>('kit/page/gallery')
  const [body, choose] = useBody(resource)
  return (
    <Segmented<Body>
      aria-label={say('body')}
      value={body}
      onChange={choose}
      options={BODIES.map(value => ({
        value,
        icon: (
          <Tooltip title={say(value)}>
            <Sign name={value} aria-label={say(value)} />
          </Tooltip>
        ),
      }))}
    />
  )
}
