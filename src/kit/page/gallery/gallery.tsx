import { Checkbox, Skeleton } from 'antd'
import { type ReactNode, useEffect, useRef } from 'react'
import { Maskable } from '../field/maskable.tsx'
import { headOf } from '../field/show.tsx'
import { useTexts } from '../language.ts'
import { useAnswer, useChosen, useHeld } from '../list/list-context.ts'
import { nameOf, type Row } from '../list/list-state.ts'
import { opensRow } from '../list/opens-row.ts'
import { ActionsOf } from '../list/row-actions.tsx'
import { Sign } from '../sign.tsx'
import type { locale } from './locale.ts'
import { usePictures } from './use-pictures.ts'
import './gallery.css'

/** The rows as what they look like: picture, name, state, price, a few facts, and what may be done. */
export function Gallery({ empty }: { empty: ReactNode }) {
  const { resource, cursor } = useHeld()
  const { rows, isPending, isFetching, isOld } = useAnswer()
  const picture = resource.list.gallery?.picture ?? ''
  const pictureOf = (row: Row): string | undefined => (row as Record<string, string[] | undefined>)[picture]?.[0]
  const links = usePictures(rows.flatMap(row => pictureOf(row) ?? []))
  if (isPending) return <Skeleton active />
  if (rows.length === 0) return empty
  return (
    <ul className={isOld ? 'inkstone-gallery inkstone-old' : 'inkstone-gallery'} aria-busy={isFetching}>
      {rows.map((row, index) => (
        <Piece key={row.id} row={row} picture={links[pictureOf(row) ?? '']} isCursor={index === cursor} />
      ))}
    </ul>
  )
}

function Piece({ row, picture, isCursor }: { row: Row; picture: string | undefined; isCursor: boolean }) {
  const { resource, list, selectable } = useHeld()
  const say = useTexts<typeof locale>('kit/page/gallery')
  const isChosen = useChosen(row.id)
  const name = nameOf(resource, row) ?? ''
  const piece = useRef<HTMLLIElement>(null)
  useEffect(
    function keepCursorInSight() {
      if (isCursor) piece.current?.scrollIntoView({ block: 'nearest' })
    },
    [isCursor],
  )
  const classes = [
    'inkstone-piece',
    ...(isChosen ? ['inkstone-piece-chosen'] : []),
    ...(isCursor ? ['inkstone-piece-cursor'] : []),
  ]
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: its name is the button, and Enter opens where the cursor stands
    <li
      ref={piece}
      className={classes.join(' ')}
      data-row-key={row.id}
      onClick={event => opensRow(event) && list.open(row.id)}
    >
      <div className="inkstone-piece-picture">
        {picture === undefined ? (
          <Sign name="picture" />
        ) : (
          <img src={picture} alt={name} loading="lazy" decoding="async" />
        )}
      </div>
      {selectable && (
        <Checkbox
          aria-label={say('choose', { name })}
          checked={isChosen}
          onChange={() => list.selection.toggle(row.id)}
        />
      )}
      <Words row={row} name={name} />
      <div className="inkstone-piece-deeds">
        <ActionsOf row={row} />
      </div>
    </li>
  )
}

function Words({ row, name }: { row: Row; name: string }) {
  const { resource, list, shows } = useHeld()
  const say = useTexts(resource.screen.name)
  const { tabs, gallery } = resource.list
  const { price = '', facts = [] } = gallery ?? {}
  const show = (field: string) =>
    shows[field]?.(row as never) ?? <Maskable resource={resource} field={field} row={row} brief />
  const head = (field: string) => headOf(resource, field, say(`field.${field}`))
  return (
    <div className="inkstone-piece-words">
      <div className="inkstone-piece-title">
        <button type="button" title={name} onClick={() => list.open(row.id)}>
          {name}
        </button>
        {tabs && show(tabs)}
      </div>
      <div className="inkstone-piece-price">
        <strong>{show(price)}</strong>
        {head(price)}
      </div>
      <dl className="inkstone-piece-facts">
        {facts.map(field => (
          <Fact key={field} name={head(field)}>
            {show(field)}
          </Fact>
        ))}
      </dl>
    </div>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
)
