import { App } from 'antd'
import { useMemo } from 'react'
import { NOTICE_SECONDS } from '#kit/model/contract.ts'
import { CallFailed, splitMessage, Unanswered } from './call.ts'
import { keepNotice, type Notice, type NoticeAction } from './kept-notices.ts'
import { useTexts } from './language.ts'
import type { locale } from './locale.ts'
import { announce } from './shell/notice/announce.ts'

/** What may be done about what happened: look at it, or take it back. */
export type Sequel = { open?(): void; undo?(): void }

export type Notices = {
  done(text: string, sequel?: Sequel): void
  /** What nobody asked for and nothing broke by. */
  told(text: string, actions?: readonly NoticeAction[]): void
  failed(error: unknown, fallback: string): void
}

/** Says how a call ended: what worked in a line, what failed with title and description (spec §8). */
export function useNotices(): Notices {
  const { message } = App.useApp()
  const kit = useTexts<typeof locale>('kit/page')
  return useMemo(() => {
    const say = (kind: 'success' | 'info', title: string, actions: readonly NoticeAction[] = []) => {
      const notice: Notice = { key: crypto.randomUUID(), kind, title, actions }
      // A line in the middle of the page passes by; what has a button must be reached with it.
      if (actions.length > 0) return announce(notice)
      keepNotice(notice)
      void message[kind](title, NOTICE_SECONDS)
    }
    const whyUnanswered = (error: unknown) =>
      error instanceof Unanswered ? kit(error.isLate ? 'no-answer' : 'no-connection') : undefined
    return {
      done: (text, { open, undo } = {}) =>
        say('success', text, [
          ...(open ? [{ label: kit('open-record'), run: open }] : []),
          ...(undo ? [{ label: kit('undo'), once: true, run: undo }] : []),
        ]),
      told: (text, actions) => say('info', text, actions),
      failed(error, fallback) {
        // The frame has already spoken of an ended session and of a missing right.
        if (error instanceof CallFailed && [401, 403].includes(error.status)) return
        if (error instanceof CallFailed && error.code === 4001) return
        const answered = error instanceof CallFailed ? error : undefined
        const { title, description = whyUnanswered(error) } = splitMessage(answered?.message || fallback)
        const incident = answered?.incident
        announce({ key: crypto.randomUUID(), kind: 'error', title, description, incident })
      },
    }
  }, [message, kit])
}
