import { CopyOutlined, DownloadOutlined } from '@ant-design/icons'
import { Button, Flex, Space, Typography } from 'antd'
import { save } from '#kit/page/call.ts'
import { useCopy } from '#kit/page/clipboard.ts'
import { useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'
import { QUIET, Squares } from './squares.page.tsx'

type Props = {
  /** Rows of the code, dark as 1. */
  readonly squares: readonly string[]
  readonly link: string
  /** What its picture is called. */
  readonly name: string
}

/** Pixels of a square in the picture that is taken along: sharp also where it is printed. */
const TAKEN_PX = 12

/** A link as a code to be scanned: looked at, copied, or taken along as a picture. Dark on light in both themes, as telephones want it. */
export function LinkCode({ squares, link, name }: Props) {
  const say = useTexts<typeof locale>('engines/copybook')
  const copy = useCopy()
  return (
    <Flex gap={16} align="start" wrap>
      <Squares squares={squares} title={say('code-of', { name })} />
      <Space orientation="vertical" size={8}>
        <Typography.Text copyable={false} style={{ wordBreak: 'break-all' }}>
          {link}
        </Typography.Text>
        <Space wrap>
          <Button icon={<CopyOutlined aria-hidden />} onClick={() => void copy(link)}>
            {say('copy-link')}
          </Button>
          <Button icon={<DownloadOutlined aria-hidden />} onClick={() => void takeAlong(squares, name)}>
            {say('take-code')}
          </Button>
        </Space>
      </Space>
    </Flex>
  )
}

async function takeAlong(squares: readonly string[], name: string): Promise<void> {
  const side = (squares.length + 2 * QUIET) * TAKEN_PX
  const canvas = Object.assign(document.createElement('canvas'), { width: side, height: side })
  const pen = canvas.getContext('2d')
  if (!pen) return
  pen.fillStyle = '#fff'
  pen.fillRect(0, 0, side, side)
  pen.fillStyle = '#000'
  for (const [y, row] of squares.entries())
    for (const [x, sign] of [...row].entries())
      if (sign === '1') pen.fillRect((x + QUIET) * TAKEN_PX, (y + QUIET) * TAKEN_PX, TAKEN_PX, TAKEN_PX)
  canvas.toBlob(picture => picture && save(picture, `${name}.png`), 'image/png')
}
