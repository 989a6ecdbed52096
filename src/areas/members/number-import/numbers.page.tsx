import { Button, Flex, Typography } from 'antd'
import { useState } from 'react'
import { ChildList } from '#kit/page/detail/child-list.tsx'
import { useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'
import { FUNNEL, type FunnelStep, type Holder, type NumberBatch, reachedBy, resource } from './model.ts'
import { child } from './numbers/model.ts'

type Shown = { readonly step: FunnelStep } | { readonly holderId: string }

/** How far the numbers of a list have come and in whose hands they are; each figure shows the numbers it counts. */
export function Numbers({ batch }: { batch: NumberBatch }) {
  const [shown, show] = useState<Shown>({ step: 'newRows' })
  return (
    <>
      <Funnel batch={batch} shown={shown} onShow={show} />
      {batch.givenTo.length > 0 && <Holders holders={batch.givenTo} shown={shown} onShow={show} />}
      <ChildList key={JSON.stringify(shown)} child={child} id={batch.id} fixed={fixedOf(shown)} />
    </>
  )
}

function fixedOf(shown: Shown): Readonly<Record<string, readonly string[]>> {
  if ('holderId' in shown) return { heldBy: [shown.holderId] }
  return shown.step === 'newRows' ? {} : { reached: reachedBy(shown.step) }
}

type Choice = { shown: Shown; onShow(shown: Shown): void }

function Funnel({ batch, shown, onShow }: Choice & { batch: NumberBatch }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  return (
    <Flex wrap gap={8} role="group" aria-label={say('funnel')} style={{ marginBlockEnd: 8 }}>
      {FUNNEL.map(step => (
        <Figure
          key={step}
          name={say(`field.${step}`)}
          count={batch[step]}
          isShown={'step' in shown && shown.step === step}
          onShow={() => onShow({ step })}
        />
      ))}
    </Flex>
  )
}

function Holders({ holders, shown, onShow }: Choice & { holders: readonly Holder[] }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  return (
    <Flex wrap gap={8} align="center" role="group" aria-label={say('given-to')} style={{ marginBlockEnd: 12 }}>
      <Typography.Text type="secondary">{say('given-to')}</Typography.Text>
      {holders.map(({ id, name, count }) => (
        <Figure
          key={id}
          name={name}
          count={count}
          isShown={'holderId' in shown && shown.holderId === id}
          onShow={() => onShow({ holderId: id })}
        />
      ))}
    </Flex>
  )
}

type FigureProps = { name: string; count: number; isShown: boolean; onShow(): void }

const Figure = ({ name, count, isShown, onShow }: FigureProps) => (
  <Button size="small" type={isShown ? 'primary' : 'default'} aria-pressed={isShown} onClick={onShow}>
    {name} {count}
  </Button>
)
