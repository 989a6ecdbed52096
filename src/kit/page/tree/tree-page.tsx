import { Skeleton } from 'antd'
import { lazy, Suspense } from 'react'
import type { Shape } from '#kit/model/resource.ts'
import { loadTexts } from '../language.ts'
import type { TreePageProps } from './tree-types.ts'

// Few screens are trees: what draws them and its texts come with the first one.
const Room = lazy(async () => {
  const [{ TreeRoom }] = await Promise.all([import('./tree-room.tsx'), loadTexts('kit/page/tree')])
  return { default: TreeRoom }
})

/** A whole screen of records that stand below one another: the tree at the left, the chosen one beside it. */
export function TreePage<S extends Shape>(props: TreePageProps<S>) {
  return (
    <Suspense fallback={<Skeleton active paragraph={{ rows: 8 }} title={false} />}>
      <Room {...(props as unknown as TreePageProps<Shape>)} />
    </Suspense>
  )
}
