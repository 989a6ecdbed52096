import { EyeOutlined, FileImageOutlined, FilePdfOutlined } from '@ant-design/icons'
import { Button, Flex, Space } from 'antd'
import { useEffect, useState } from 'react'
import { downloadOf } from '#kit/page/call.ts'
import { useTexts } from '#kit/page/language.ts'
import type { locale as kitLocale } from '#kit/page/locale.ts'
import { useNotices } from '#kit/page/notice.tsx'
import { findScreen } from '#kit/page/screens.ts'
import { useTab } from '#kit/page/tab.ts'
import { mayDo, useUser } from '#kit/page/user.ts'
import type { NameSheet } from './fields.model.ts'
import type { locale } from './locale.ts'
import './sheet.css'
import { KINDS, type Kind, useTaking } from './use-taking.page.tsx'

const ICONS = { pdf: FilePdfOutlined, picture: FileImageOutlined } as const

type ButtonsProps = { readonly taking: Kind | undefined; onTake(kind: Kind): void }

export function TakeButtons({ taking, onTake }: ButtonsProps) {
  const say = useTexts<typeof locale>('sales/name-sheet')
  return (
    <Space wrap>
      {KINDS.map(kind => {
        const Icon = ICONS[kind]
        return (
          <Button
            key={kind}
            type={kind === 'pdf' ? 'primary' : 'default'}
            icon={<Icon aria-hidden />}
            loading={taking === kind}
            disabled={taking !== undefined && taking !== kind}
            onClick={() => onTake(kind)}
          >
            {say(`take-${kind}`)}
          </Button>
        )
      })}
    </Space>
  )
}

/** The sheet of a record, made again. The name stands on it in full: it is seen once somebody asks for it, and that is logged. */
export function Taking({ row }: { row: NameSheet }) {
  const say = useTexts<typeof locale>('sales/name-sheet')
  const kit = useTexts<typeof kitLocale>('kit/page')
  const notices = useNotices()
  const screen = findScreen(useTab().path)
  const mayTake = useUser(user => mayDo(user, screen?.key ?? '', 'print'))
  const { taking, take } = useTaking(`/${screen?.name}`)
  const { seen, isLooking, look } = useLook(`/${screen?.name}/${row.id}/picture`)
  if (!mayTake || row.name === null) return null
  return (
    <Flex vertical gap={12} align="flex-start">
      <Space wrap>
        {seen === undefined && (
          <Button
            icon={<EyeOutlined aria-hidden />}
            loading={isLooking}
            onClick={() => look().catch((error: unknown) => notices.failed(error, kit('load-failed')))}
          >
            {say('look')}
          </Button>
        )}
        <TakeButtons taking={taking} onTake={kind => void take(kind, async () => row.id)} />
      </Space>
      {seen !== undefined && <img className="name-sheet-paper" src={seen} alt={say('made-picture')} />}
    </Flex>
  )
}

/** The picture of a sheet, once it was asked for. */
function useLook(path: string) {
  const [seen, setSeen] = useState<string>()
  const [isLooking, setLooking] = useState(false)
  useEffect(
    function letGo() {
      if (seen !== undefined) return () => URL.revokeObjectURL(seen)
      return undefined
    },
    [seen],
  )
  const look = async () => {
    setLooking(true)
    try {
      const answer = await downloadOf(path, {})
      if ('file' in answer) setSeen(URL.createObjectURL(answer.file))
    } finally {
      setLooking(false)
    }
  }
  return { seen, isLooking, look }
}
