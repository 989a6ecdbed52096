import { lazy, Suspense, useState } from 'react'
import { loadAhead } from '../chunk.ts'
import type { DetailDrawerProps } from '../detail/detail-drawer.tsx'
import type { RecordPageProps } from '../detail/record-page.tsx'
import type { FormDrawerProps } from '../form/form-drawer.tsx'
import { loadForms } from '../forms.ts'
import { loadTexts } from '../language.ts'

// Its texts come along.
const loadDetail = async () =>
  (await Promise.all([import('../detail/detail-drawer.tsx'), loadTexts('kit/page/detail')]))[0]
const Detail = lazy(async () => ({ default: (await loadDetail()).DetailDrawer }))
const loadPage = async () => (await Promise.all([import('../detail/record-page.tsx'), loadTexts('kit/page/detail')]))[0]
const WholeRecord = lazy(async () => ({ default: (await loadPage()).RecordPage }))
const Form = lazy(async () => ({ default: (await loadForms()).FormDrawer }))

/** Drawers come after the rows: nobody waits for a form to read a list. Once opened, they stay for their way out. */
export function DetailDrawer(props: DetailDrawerProps) {
  const [wanted, setWanted] = useState(false)
  if (props.id !== undefined && !wanted) setWanted(true)
  return (
    wanted && (
      <Suspense fallback={null}>
        <Detail {...props} />
      </Suspense>
    )
  )
}

/** A record with the tab to itself. */
export const RecordPage = (props: RecordPageProps) => (
  <Suspense fallback={null}>
    <WholeRecord {...props} />
  </Suspense>
)

export function FormDrawer(props: FormDrawerProps) {
  const [wanted, setWanted] = useState(false)
  if (props.open && !wanted) setWanted(true)
  return (
    wanted && (
      <Suspense fallback={null}>
        <Form {...props} />
      </Suspense>
    )
  )
}

/** Called when the list stands and the browser rests, so that the first click does not wait either. */
export function prepareDrawers(): void {
  loadAhead(loadDetail)
  loadAhead(loadForms)
}
