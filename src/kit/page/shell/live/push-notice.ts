import type { QueryClient } from '@tanstack/react-query'
import { NOTIFYING_PUSHES, PUSHES, type Push, REFUND_PUSH, TOKEN_PUSH } from '#kit/model/contract.ts'
import { formatFen } from '../../figures.ts'
import { say } from '../../language.ts'
import { maySeeScreen } from '../../menu.ts'
import { type PushContent, readContent, rememberReceived } from '../../received.ts'
import { findScreen } from '../../screens.ts'
import { writeToken } from '../../token.ts'
import { useUser } from '../../user.ts'
import { announce } from '../notice/announce.ts'
import { go } from '../session/navigation.ts'

export const REFUND_NOTICES = 'refund-notices'
export const DECISIONS = 'decisions'
const NAMESPACE = 'kit/page/shell/live'

/** Does what a push asks for (spec §7): a token, the unread count, fresh rows, a notification. */
export function receive(push: Push, client: Pick<QueryClient, 'invalidateQueries'>, now: Date): void {
  if (push.type === TOKEN_PUSH) {
    if (push.token) writeToken(push.token)
    return
  }
  if (push.type === REFUND_PUSH) void client.invalidateQueries({ queryKey: [REFUND_NOTICES] })
  const { route } = PUSHES[push.type]
  const screen = route === null ? undefined : findScreen(route)
  // Hidden tabs too: their rows are old from now on.
  if (screen) void client.invalidateQueries({ queryKey: [screen.name] })
  if (!NOTIFYING_PUSHES.includes(push.type) || !isWanted(push) || isOwn(push) || isDismissed(push)) return
  rememberReceived(push, now)
  const viewable = screen && maySeeScreen(useUser.getState(), screen) ? screen : undefined
  announce({
    // How many wait for the same is told again in the place of what was told before.
    key: `push-${push.type}-${readContent(push).count === undefined ? push.key : describe(push)}`,
    kind: 'info',
    title: say(NAMESPACE, `push.${push.type}`),
    description: describe(push),
    actions: [
      ...(viewable ? [{ label: say(NAMESPACE, 'view'), primary: true, run: () => go(viewable.route) }] : []),
      ...(push.type === BROWSE_PUSH ? [{ label: say(NAMESPACE, 'dismiss'), run: () => dismiss(push) }] : []),
    ],
  })
}

const BROWSE_PUSH = 1

/** Who, what, how much: as far as the push tells. */
export function describe(push: Push): string {
  const { name, rule, product, orderNo, amountFen, phone, reason, ...late } = readContent(push)
  const money = amountFen === undefined ? undefined : formatFen(amountFen)
  return [name, rule, phone, product, money, orderNo, reason, toldLate(late)].filter(Boolean).join(' · ')
}

const LATE = { UNCLAIMED: 'leads-unclaimed', UNANSWERED: 'leads-unanswered' } as const
const isLate = (kind: string | undefined): kind is keyof typeof LATE => kind !== undefined && kind in LATE

/** How many leads wait, and for what. */
function toldLate({ count, kind }: Pick<PushContent, 'count' | 'kind'>): string | undefined {
  if (count === undefined) return undefined
  return say(NAMESPACE, isLate(kind) ? LATE[kind] : 'leads-waiting', { count })
}

/** A person may have switched off a type in the personal centre. */
function isWanted({ type }: Push): boolean {
  const muted = useUser.getState().info?.preference.mutedPushes
  return !(Array.isArray(muted) && muted.includes(type))
}

/** Who did it was told so when it was done. */
const isOwn = (push: Push): boolean => {
  const { by } = readContent(push)
  return by !== undefined && by === useUser.getState().info?.id
}

const KEY = 'inkstone-dismissed'
const KEPT = 500

const readDismissed = (): string[] => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(kept) ? kept.map(String) : []
  } catch {
    return []
  }
}

/** Spec §7: a dismissed key is not shown again, also after a reload. */
export const dismiss = ({ key }: Push): void =>
  localStorage.setItem(KEY, JSON.stringify([...readDismissed(), key].slice(-KEPT)))
const isDismissed = ({ type, key }: Push): boolean => type === BROWSE_PUSH && readDismissed().includes(key)
