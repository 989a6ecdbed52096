import { CopyOutlined } from '@ant-design/icons'
import { Alert, Button, Descriptions, Space, Typography } from 'antd'
import { useCopy } from '../clipboard.ts'
import { useTexts } from '../language.ts'
import type { locale } from './locale.ts'

export type Told = { readonly account: string; readonly name: string; readonly password: string }

/** What the window that made a password up becomes once there is one: nothing is left to send, or to give up. */
export function useOneTimeWindow(told: Told | undefined, onClose: () => void) {
  const say = useTexts<typeof locale>('kit/page/one-time')
  return told
    ? {
        isDone: true,
        title: say('title'),
        okText: say('done'),
        okButtonProps: { danger: false },
        cancelButtonProps: { style: { display: 'none' } },
        onOk: onClose,
      }
    : {}
}

/** The password, for as long as the window is open and never again. */
export function OneTimePassword({ told: { account, name, password } }: { told: Told }) {
  const say = useTexts<typeof locale>('kit/page/one-time')
  const copy = useCopy()
  return (
    <Space orientation="vertical" size={16} style={{ width: '100%', marginBlockStart: 16 }}>
      <Alert type="warning" showIcon title={say('told', { name })} />
      <Descriptions
        column={1}
        size="small"
        bordered
        items={[
          { key: 'account', label: say('account'), children: <span className="inkstone-code">{account}</span> },
          {
            key: 'password',
            label: say('title'),
            children: (
              <Typography.Text strong className="inkstone-code" style={{ userSelect: 'all' }}>
                {password}
              </Typography.Text>
            ),
          },
        ]}
      />
      <Button icon={<CopyOutlined aria-hidden />} onClick={() => void copy(say('copied', { account, password }))}>
        {say('copy')}
      </Button>
    </Space>
  )
}
