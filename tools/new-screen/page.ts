import { accessTest, type Files, folderOf, holdsText, localeText, property, type Wanted } from './wanted.ts'

/** A screen written by hand, with one call of its own: for what is none of the kit's kinds. */
export function pageFiles(wanted: Wanted): Files {
  const { screen } = wanted
  const folder = folderOf(wanted)
  return {
    [`${folder}/model.ts`]: `import * as z from 'zod'

/** What roles can be given on this page. */
export const actions = ['list']

export const shown = z.strictObject({ now: z.iso.datetime({ offset: true }) })
export type Shown = z.infer<typeof shown>
`,
    [`${folder}/server.ts`]: `import { type Routes, route } from '#kit/server/http/route.ts'
import { area } from '../area.ts'
import { shown } from './model.ts'

const { name, key } = area.screens${property(screen)}

export const routes: Routes = () => [
  route({
    method: 'GET',
    path: \`/\${name}\`,
    texts: name,
    access: { page: key, action: 'list' },
    answer: shown,
    summary: 'What the page shows.',
    handle: async ({ now }) => ({ now: now.toISOString() }),
  }),
]
`,
    [`${folder}/page.tsx`]: `import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { get } from '#kit/page/call.ts'
import { Instant } from '#kit/page/field/show.tsx'
import { useTexts } from '#kit/page/language.ts'
import { area } from '../area.ts'
import type { locale } from './locale.ts'
import type { Shown } from './model.ts'

const { name } = area.screens${property(screen)}

export function Page() {
  const say = useTexts<typeof locale>(name)
  const { data } = useQuery({ queryKey: [name], queryFn: ({ signal }) => get<Shown>(\`/\${name}\`, { signal }) })
  if (!data) return <Skeleton active title={false} />
  return (
    <p>
      {say('now')} <Instant at={data.now} />
    </p>
  )
}
`,
    [`${folder}/locale.ts`]: localeText(screen, { now: ['现在是', 'It is', 'Agora são'] }),
    [`${folder}/demo.server.ts`]: holdsText("['list']"),
    [`${folder}/server.test.ts`]: accessTest(wanted),
  }
}
