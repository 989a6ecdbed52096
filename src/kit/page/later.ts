import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { loadAreaTexts } from './language.ts'

/** A part that comes with the first look at it, and its texts along with it. */
export const later = <P>(area: string, load: () => Promise<ComponentType<P>>): LazyExoticComponent<ComponentType<P>> =>
  lazy(async () => ({ default: (await Promise.all([load(), loadAreaTexts(area)]))[0] }))
