import { lazy } from 'react'
import { GrantList } from '#engines/entitlement/grants.page.tsx'
import { dayOf } from '#kit/model/time.ts'
import { formatFen } from '#kit/page/figures.ts'
import { useTexts } from '#kit/page/language.ts'
import { ListPage } from '#kit/page/list/list-page.tsx'
import { StateTag } from '#kit/page/tone.tsx'
import type { locale } from './locale.ts'
import { type CodeBatch, expiredOf, resource, workflow } from './model.ts'

const GrantsInput = lazy(async () => ({
  default: (await import('#engines/entitlement/grants-input.page.tsx')).GrantsInput,
}))
const ChecksumInput = lazy(async () => ({ default: (await import('./checksum.page.tsx')).ChecksumInput }))

export function Page() {
  const say = useTexts<typeof locale>(resource.screen.name)
  return (
    <ListPage
      resource={resource}
      workflow={workflow}
      inputs={{ grants: () => <GrantsInput />, checksum: () => <ChecksumInput /> }}
      shows={{
        grants: (batch: CodeBatch) => <GrantList grants={batch.grants} />,
        validTo: (batch: CodeBatch) => <ValidTo batch={batch} />,
      }}
      tells={{
        unitPriceFen: ({ unitPriceFen, quantity }: CodeBatch) =>
          say('worth', { price: formatFen(unitPriceFen), sum: formatFen(unitPriceFen * quantity) }),
        grants: (batch: CodeBatch) => <GrantList grants={batch.grants} />,
      }}
      isUnderWay={({ status, made, quantity }) => status === 'APPROVED' && made < quantity}
    />
  )
}

/** The last day, and what was left over when it had passed. */
function ValidTo({ batch }: { batch: CodeBatch }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const count = expiredOf(batch, dayOf(new Date()))
  return (
    <>
      {batch.validTo} {count > 0 && <StateTag tone="failed">{say('expired-of', { count })}</StateTag>}
    </>
  )
}
