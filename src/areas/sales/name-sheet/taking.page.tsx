import { FileImageOutlined, FilePdfOutlined } from '@ant-design/icons'
import { Button, Space } from 'antd'
import { useTexts } from '#kit/page/language.ts'
import { findScreen } from '#kit/page/screens.ts'
import { useTab } from '#kit/page/tab.ts'
import { mayDo, useUser } from '#kit/page/user.ts'
import type { NameSheet } from './fields.model.ts'
import type { locale } from './locale.ts'
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

/** The sheet of a record, made again. */
export function Taking({ row }: { row: NameSheet }) {
  const screen = findScreen(useTab().path)
  const mayTake = useUser(user => mayDo(user, screen?.key ?? '', 'print'))
  const { taking, take } = useTaking(`/${screen?.name}`)
  if (!mayTake || row.name === null) return null
  return <TakeButtons taking={taking} onTake={kind => void take(kind, async () => row.id)} />
}
