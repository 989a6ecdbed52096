import { type ComponentType, type LazyExoticComponent, lazy, type ReactNode, Suspense } from 'react'
import { loadChunk } from './chunk.ts'
import { loadTexts } from './language.ts'

/** A part that is not in sight with its page: it comes when it is first drawn, and holds up nothing around it. */
export function later<P extends object>(load: () => Promise<ComponentType<P>>): (props: P) => ReactNode {
  // React cannot tell of any part that what it is given fits it.
  const Part = lazy(async () => ({ default: await loadChunk(load) })) as ComponentType<P>
  return props => (
    <Suspense>
      <Part {...props} />
    </Suspense>
  )
}

/** A part of the kit that comes with the first look at it, and its texts along with it; what stands there meanwhile is its place's business. */
export const laterWithTexts = <P,>(
  texts: string,
  load: () => Promise<ComponentType<P>>,
): LazyExoticComponent<ComponentType<P>> =>
  lazy(async () => ({ default: (await loadChunk(() => Promise.all([load(), loadTexts(texts)])))[0] }))
