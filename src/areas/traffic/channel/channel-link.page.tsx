import { QRCode, Space, Typography } from 'antd'

const QR_PX = 120

/** Where a channel sends people, to be scanned or copied. */
export function ChannelLink({ to }: { to: string }) {
  return (
    <Space align="start" size={12}>
      <QRCode value={to} size={QR_PX} bordered={false} type="svg" />
      <Typography.Text copyable style={{ wordBreak: 'break-all' }}>
        {to}
      </Typography.Text>
    </Space>
  )
}
