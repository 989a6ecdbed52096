import { ImportButton } from '#kit/page/import/import-button.tsx'
import { loadTexts } from '#kit/page/language.ts'
import { later } from '#kit/page/later.tsx'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { recordOf } from '#kit/page/screens.ts'
import { useTab } from '#kit/page/tab.ts'
import { mayDo, useUser } from '#kit/page/user.ts'
import type { SheetResource, Variant } from './fields.model.ts'
import { PackButton } from './pack.page.tsx'

// The list stands first; what a sheet is made with comes after it.
const Maker = later(async () => {
  const [{ Maker: Part }] = await Promise.all([import('./maker.page.tsx'), loadTexts('kit/page/form')])
  return Part
})
const Taking = later(async () => (await import('./taking.page.tsx')).Taking)

type Props = { readonly resource: SheetResource; readonly variant: Variant }

/** A sheet is made above; below stands what was made for whom. */
export function SheetPage({ resource, variant }: Props) {
  const mayMake = useUser(user => mayDo(user, resource.screen.key, 'make'))
  const isList = recordOf(useTab().path) === undefined
  return (
    <>
      {isList && mayMake && <Maker resource={resource} variant={variant} />}
      <ListPage
        resource={resource}
        head={Taking}
        tools={
          <>
            <ImportButton resource={resource} />
            <PackButton />
          </>
        }
      />
    </>
  )
}
