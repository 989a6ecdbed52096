import { CopyOutlined } from '@ant-design/icons'
import { Alert, Button, Descriptions, Space, Typography } from 'antd'
import { useCopy } from '#kit/page/clipboard.ts'
import { useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'
import { type OneTime, resource } from './model.ts'

/** The password, for as long as the window is open and never again. */
export function OneTimePassword({ told: { account, name, password } }: { told: OneTime }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const copy = useCopy()
  return (
    <Space orientation="vertical" size={16} style={{ width: '100%', marginBlockStart: 16 }}>
      <Alert type="warning" showIcon title={say('one-time-told', { name })} />
      <Descriptions
        column={1}
        size="small"
        bordered
        items={[
          { key: 'account', label: say('field.account'), children: <span className="inkstone-code">{account}</span> },
          {
            key: 'password',
            label: say('one-time'),
            children: (
              <Typography.Text strong className="inkstone-code" style={{ userSelect: 'all' }}>
                {password}
              </Typography.Text>
            ),
          },
        ]}
      />
      <Button
        icon={<CopyOutlined aria-hidden />}
        onClick={() => void copy(say('one-time-copied', { account, password }))}
      >
        {say('one-time-copy')}
      </Button>
    </Space>
  )
}
