import { Grid } from 'antd'
import { useState } from 'react'
import type { Resource } from '#kit/model/resource.ts'
import { changePreference, usePreference } from '../preference.ts'

const nameOf = ({ screen }: Resource): string => `side.${screen.key}`

export type SideState = { readonly isOpen: boolean; setOpen(open: boolean): void }

/**
 * Whether the departments stand open beside the list: closed until the person opens them, and then as they were left. On a
 * phone they lie over the rows, and nobody wants that again with the next visit.
 */
export function useSide(resource: Resource): SideState {
  const { md: isWide } = Grid.useBreakpoint()
  const [isSheet, setSheet] = useState(false)
  const isKept = usePreference(nameOf(resource), kept => kept === true)
  if (isWide === false) return { isOpen: isSheet, setOpen: setSheet }
  return {
    // Before the width is known nothing is opened that a phone would have to close.
    isOpen: isKept && isWide === true,
    setOpen: open => void changePreference(nameOf(resource), open ? true : null).catch(() => {}),
  }
}
