import { SendOutlined } from '@ant-design/icons'
import { Button, Tooltip } from 'antd'
import { useState } from 'react'
import { post } from '#kit/page/call.ts'
import { useTexts } from '#kit/page/language.ts'
import { useNotices } from '#kit/page/notice.tsx'
import type { locale } from './locale.ts'
import { resource } from './model.ts'

/** Sends the draft, or what is published, to whoever presses it. */
export function TestButton({ id }: { id: string }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const notices = useNotices()
  const [isBusy, setBusy] = useState(false)
  const test = async () => {
    setBusy(true)
    try {
      const { to } = await post<{ to: 'phone' | 'email' | 'console' }>(`/${resource.screen.name}/${id}/test`)
      notices.done(say(`tested.${to}`))
    } catch (error) {
      notices.failed(error, say('step.test'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Tooltip title={say('test-help')}>
      <Button icon={<SendOutlined aria-hidden />} loading={isBusy} onClick={() => void test()}>
        {say('step.test')}
      </Button>
    </Tooltip>
  )
}
