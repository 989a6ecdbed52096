import {
  BorderOutlined,
  EditOutlined,
  PushpinOutlined,
  RotateRightOutlined,
  ZoomInOutlined,
  ZoomOutOutlined,
} from '@ant-design/icons'
import { Button, Segmented, Space, Tooltip } from 'antd'
import { type PointerEvent, useRef, useState } from 'react'
import type { Mark, Place } from '#areas/members/work/comment.model.ts'
import type { Size } from '#areas/members/work/cursor.model.ts'
import type { ReadCharacter } from '#areas/members/work/suggestion.model.ts'
import { useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'
import { MarkShape } from './mark.page.tsx'
import { Readings } from './suggestion.page.tsx'
import { CursorSign, useCursor } from './use-cursor.page.tsx'
import { useSize } from './use-size.page.tsx'

export type Tool = Exclude<Mark['shape'], 'TIME'>
const TOOLS = { PIN: PushpinOutlined, LINE: EditOutlined, BOX: BorderOutlined } as const
const TOOL_KEYS: Readonly<Record<string, Tool>> = { g: 'PIN', h: 'LINE', j: 'BOX' }
const ZOOMS = [1, 1.5, 2, 3, 4] as const
const MAX_POINTS = 400

/** How the picture is looked at; what is drawn stays where it is in the picture. */
export type Look = {
  readonly zoom: number
  readonly turns: number
  readonly isStrong: boolean
  /** Whether the numbers of the scorer are on the picture. */
  readonly isRead: boolean
  readonly tool: Tool
}
export const USUAL_LOOK: Look = { zoom: 0, turns: 0, isStrong: false, isRead: true, tool: 'PIN' }

/** What a key does to the look; nothing where it means something else. */
export function lookAfter(key: string, look: Look): Look | undefined {
  const tool = TOOL_KEYS[key]
  if (tool) return { ...look, tool }
  if (key === 'v') return { ...look, turns: (look.turns + 1) % 4 }
  if (key === 'b') return { ...look, isStrong: !look.isStrong }
  if (key === 'x') return { ...look, isRead: !look.isRead }
  if (key === '+' || key === '=') return { ...look, zoom: Math.min(look.zoom + 1, ZOOMS.length - 1) }
  if (key === '-') return { ...look, zoom: Math.max(look.zoom - 1, 0) }
}

type EaselProps = {
  url: string
  picture: number
  look: Look
  marks: readonly Mark[]
  /** What the scorer found on it. */
  read: readonly ReadCharacter[]
  chosen: number | null
  onDraw(mark: Mark): void
  onChoose(at: number): void
  onWrite: (() => void) | undefined
}

/** The picture with what is drawn on it, in the picture's own coordinates. */
export function Easel({ url, picture, look, marks, read, chosen, onDraw, onChoose, onWrite }: EaselProps) {
  const say = useTexts<typeof locale>('members/work-desk')
  const size = useSize(url)
  const paper = useRef<SVGGElement>(null)
  const [line, setLine] = useState<readonly Place[]>([])
  const draw = (points: readonly Place[]) => {
    const mark = markOf(look.tool, picture, points)
    if (mark) onDraw(mark)
  }
  const cursor = useCursor({ size, turns: look.turns, isPin: look.tool === 'PIN', chosen, onLine: draw, onWrite })
  if (!size) return <div className="work-easel" aria-busy />
  const [width, height] = look.turns % 2 === 0 ? [size.width, size.height] : [size.height, size.width]
  const placeOf = (event: PointerEvent): Place | undefined => {
    const toPicture = paper.current?.getScreenCTM()?.inverse()
    if (!toPicture) return undefined
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(toPicture)
    const within = (at: number, most: number) => Math.max(0, Math.min(Math.round(at), most))
    return [within(x, size.width), within(y, size.height)]
  }
  const begin = (event: PointerEvent<SVGSVGElement>) => {
    const place = placeOf(event)
    if (event.button !== 0 || !place) return
    event.currentTarget.setPointerCapture(event.pointerId)
    setLine([place])
  }
  const go = (event: PointerEvent) => {
    const place = placeOf(event)
    if (line.length === 0 || !place || line.length >= MAX_POINTS) return
    setLine(look.tool === 'LINE' ? [...line, place] : [line[0] as Place, place])
  }
  const end = () => {
    setLine([])
    draw(line)
  }
  const led = cursor?.from ? [cursor.from, cursor.at] : line
  const drawn = led.length > 1 ? markOf(look.tool, picture, led) : undefined
  const unit = Math.max(size.width, size.height) / 100
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what is larger than its place is scrolled by keyboard too
    <div className="work-easel" tabIndex={0}>
      <svg
        role="img"
        aria-label={say('desk.picture', { number: picture + 1 })}
        viewBox={`0 0 ${width} ${height}`}
        style={{ width: `${100 * (ZOOMS[look.zoom] ?? 1)}%` }}
        onPointerDown={begin}
        onPointerMove={go}
        onPointerUp={end}
        onPointerCancel={() => setLine([])}
      >
        <g ref={paper} transform={turned(look.turns, size)}>
          <image
            href={url}
            width={size.width}
            height={size.height}
            className={look.isStrong ? 'work-strong' : undefined}
          />
          {look.isRead && <Readings characters={read} unit={unit} />}
          {marks.map((mark, at) =>
            mark.picture === picture ? (
              <MarkShape
                // biome-ignore lint/suspicious/noArrayIndexKey: marks are told apart by their place alone
                key={at}
                mark={mark}
                at={at}
                unit={unit}
                isChosen={at === chosen}
                onChoose={() => onChoose(at)}
              />
            ) : null,
          )}
          {drawn && <MarkShape mark={drawn} at={marks.length} unit={unit} isChosen />}
          {cursor && <CursorSign cursor={cursor} unit={unit} />}
        </g>
      </svg>
    </div>
  )
}

/** A press without a way is a pin, whatever tool is in hand. */
function markOf(tool: Tool, picture: number, line: readonly Place[]): Mark | undefined {
  const [first] = line
  const last = line.at(-1)
  if (!first || !last) return undefined
  const isStill = line.every(([x, y]) => x === first[0] && y === first[1])
  const shape = isStill ? 'PIN' : tool
  const points = shape === 'PIN' ? [first] : shape === 'BOX' ? [first, last] : line
  return { picture, shape, points: points.map(([x, y]) => [x, y]), fault: null, words: '' }
}

const turned = (turns: number, { width, height }: Size): string =>
  [
    '',
    `translate(${height} 0) rotate(90)`,
    `translate(${width} ${height}) rotate(180)`,
    `translate(0 ${width}) rotate(270)`,
  ][turns] ?? ''

type ToggleProps = { isOn: boolean; onPress(): void; text: string; by: string }

/** A button that stays pressed, with its key. */
export const Toggle = ({ isOn, onPress, text, by }: ToggleProps) => (
  <Button color={isOn ? 'primary' : 'default'} variant="outlined" aria-pressed={isOn} onClick={onPress}>
    {text} <kbd>{by}</kbd>
  </Button>
)

export function EaselTools({ look, onLook }: { look: Look; onLook(look: Look): void }) {
  const say = useTexts<typeof locale>('members/work-desk')
  const press = (key: string) => onLook(lookAfter(key, look) ?? look)
  return (
    <Space size={8} wrap>
      <Segmented
        value={look.tool}
        onChange={tool => onLook({ ...look, tool })}
        options={(Object.keys(TOOLS) as Tool[]).map(value => {
          const Icon = TOOLS[value]
          return { value, icon: <Icon />, title: say(`desk.tool.${value}`) }
        })}
      />
      <Tooltip title={say('desk.rotate')}>
        <Button aria-label={say('desk.rotate')} icon={<RotateRightOutlined />} onClick={() => press('v')} />
      </Tooltip>
      <Tooltip title={say('desk.zoom-in')}>
        <Button aria-label={say('desk.zoom-in')} icon={<ZoomInOutlined />} onClick={() => press('+')} />
      </Tooltip>
      <Tooltip title={say('desk.zoom-out')}>
        <Button aria-label={say('desk.zoom-out')} icon={<ZoomOutOutlined />} onClick={() => press('-')} />
      </Tooltip>
      <Toggle isOn={look.isStrong} onPress={() => press('b')} text={say('desk.contrast')} by="B" />
      <Toggle isOn={look.isRead} onPress={() => press('x')} text={say('desk.readings')} by="X" />
    </Space>
  )
}
