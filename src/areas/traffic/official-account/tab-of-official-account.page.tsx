import { childTab } from '#kit/page/detail/child-list.tsx'
import { later } from '#kit/page/later.tsx'
import { child, type Scene } from './scenes/model.ts'

const SceneCode = later(async () => (await import('./scene-code.page.tsx')).SceneCode)

/** How often is looked whether the platform has given a code. */
const AGAIN_MS = 10_000

export const tab = childTab(child, {
  order: 5,
  looks: () => ({ shows: { squares: (scene: Scene) => <SceneCode scene={scene} /> }, againMs: AGAIN_MS }),
})
