import { ImportOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { Resource, Shape } from '#kit/model/resource.ts'
import { type IsShown, withInput } from '../form/inputs.ts'
import { loadTexts, useTexts } from '../language.ts'
import type { locale } from '../locale.ts'
import { mayDo, useUser } from '../user.ts'

const ImportDrawer = lazy(async () => {
  const [{ ImportDrawer: Drawer }] = await Promise.all([
    import('./import-drawer.tsx'),
    loadTexts('kit/page/import'),
    loadTexts('kit/page/form'),
  ])
  return { default: Drawer }
})

type Props<S extends Shape> = {
  resource: Resource<S>
  /** What is said once of the whole file, as the slice's import declares it. */
  asks?: Shape
  /** Whether a part of that is asked for, or even needed, once other parts are known. */
  isShown?: IsShown
}

/** Brings a file of rows into a list whose slice declares an import: one of its `tools`. */
export function ImportButton<S extends Shape>({ resource, asks, isShown = () => true }: Props<S>) {
  const kit = useTexts<typeof locale>('kit/page')
  const { name, key } = resource.screen
  const user = useUser()
  const [open, setOpen] = useState(false)
  const [wanted, setWanted] = useState(false)
  if (!mayDo(user, key, 'import')) return null
  return (
    <>
      <Button
        icon={<ImportOutlined aria-hidden />}
        onClick={() => {
          setWanted(true)
          setOpen(true)
        }}
      >
        {kit('import')}
      </Button>
      {wanted && (
        <Suspense>
          <ImportDrawer
            name={name}
            mayUndo={mayDo(user, key, 'undoImport')}
            open={open}
            onClose={() => setOpen(false)}
            {...(asks && {
              asked: { resource: withInput(resource, asks), fields: Object.keys(asks), isShown },
            })}
          />
        </Suspense>
      )}
    </>
  )
}
