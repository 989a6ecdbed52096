import { App } from 'antd'
import { useMemo } from 'react'
import { NOTICE_SECONDS } from '#kit/model/contract.ts'
import { CallFailed, splitMessage } from './call.ts'

export type Notices = { done(text: string): void; failed(error: unknown, fallback: string): void }

/** Says how a call ended: what worked in a line, what failed with title and description (spec §8). */
export function useNotices(): Notices {
  const { message, notification } = App.useApp()
  return useMemo(
    () => ({
      done: text => void message.success(text, NOTICE_SECONDS),
      failed(error, fallback) {
        // The frame has already spoken of an ended session and of a missing right.
        if (error instanceof CallFailed && [401, 403].includes(error.status)) return
        if (error instanceof CallFailed && error.code === 4001) return
        const { title, description } = splitMessage(
          error instanceof CallFailed && error.message ? error.message : fallback,
        )
        notification.error({ title, description, duration: NOTICE_SECONDS * 2 })
      },
    }),
    [message, notification],
  )
}
