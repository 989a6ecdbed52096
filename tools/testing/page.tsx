import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, type RenderResult, render, waitFor } from '@testing-library/react'
import { App, ConfigProvider } from 'antd'
import { type ReactNode, useMemo, useState } from 'react'
import { vi } from 'vitest'
import { CODES } from '../../src/kit/model/contract.ts'
import type { Language } from '../../src/kit/model/language.ts'
import { loadTexts, switchLanguage } from '../../src/kit/page/language.ts'
import { NoticePlace } from '../../src/kit/page/shell/notice/notice-host.tsx'
import { TabContext, type TabHandle } from '../../src/kit/page/tab.ts'
import { type Permission, useUser } from '../../src/kit/page/user.ts'

/** A call as the server would see it. */
export type Sent = {
  readonly name: string
  readonly query: Readonly<Record<string, string | string[]>>
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}
/** What a call is answered with: plain data stands for code 0, a Response for itself. */
export type Answer = (sent: Sent) => unknown
export type Calls = Readonly<Record<string, Answer>>

export type PageOptions = {
  path?: string
  search?: string
  /** Actions by page key. */
  grants?: Readonly<Record<string, readonly string[]>>
  superAdmin?: boolean
  /** Display choices of the person. */
  preference?: Record<string, unknown>
  calls?: Calls
  language?: Language
}

export type Rendered = RenderResult & {
  /** The parameters of the tab's address as they stand. */
  address(): string
  /** Every call of this name ("GET /api/orders/order"), in order; all calls without a name. */
  sent(name?: string): Sent[]
  /** What other screens were opened. */
  readonly opened: string[]
  isUnsaved(): boolean
  /** What the page has called its tab. */
  title(): string
  go(search: string): void
  /** Shows something else in the same tab. */
  show(page: ReactNode): void
}

const slices = Object.keys(import.meta.glob('../../src/areas/*/*/locale.ts')).map(path =>
  path.split('/').slice(-3, -1).join('/'),
)

/** The texts of every screen of an area. */
const loadAreaTexts = async (area: string): Promise<void> =>
  void (await Promise.all(slices.filter(name => name.startsWith(`${area}/`)).map(loadTexts)))

/** Renders a page as the frame would: in a tab with an address that changes, for a person with these rights. */
export async function renderPage(page: ReactNode, options: PageOptions = {}): Promise<Rendered> {
  const {
    path = '/',
    search = '',
    grants = {},
    superAdmin = false,
    preference = {},
    calls = {},
    language = 'en-US',
  } = options
  cleanup()
  await switchLanguage(language)
  await Promise.all(['system', 'orders'].map(loadAreaTexts))
  signIn(grants, superAdmin, preference)
  const sent = answerCalls(calls)
  const around: Around = { path, search, opened: [], unsaved: false, title: '', go: () => {} }
  const view = render(<Surroundings around={around}>{page}</Surroundings>)
  return Object.assign(view, {
    address: () => around.search,
    sent: (name?: string) => sent.filter(call => name === undefined || call.name === name),
    opened: around.opened,
    isUnsaved: () => around.unsaved,
    title: () => around.title,
    go: (next: string) => act(() => around.go(next)),
    show: (next: ReactNode) => view.rerender(<Surroundings around={around}>{next}</Surroundings>),
  })
}

function signIn(
  grants: Readonly<Record<string, readonly string[]>>,
  superAdmin: boolean,
  preference: Record<string, unknown>,
): void {
  const permissions = Object.entries(grants).map(([key, actions]): [string, Permission] => [
    key,
    { permissionId: key, permissionName: key, actions: [...actions] },
  ])
  useUser.setState({
    info: {
      id: '1',
      account: 'tester',
      name: 'Tester',
      avatar: null,
      language: null,
      mustChangePassword: false,
      mustEnrol: false,
      preference,
      role: { code: 'TEST', name: 'Test', superAdmin, permissionList: [] },
    },
    permissions: new Map(permissions),
  })
}

type Around = {
  path: string
  search: string
  opened: string[]
  unsaved: boolean
  title: string
  go(search: string): void
}

function Surroundings({ around, children }: { around: Around; children: ReactNode }) {
  const [client] = useState(() => new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 30_000 } } }))
  const [search, setSearch] = useState(around.search)
  const [, setUnsaved] = useState(false)
  const tab = useMemo(
    (): TabHandle => ({
      path: around.path,
      search: new URLSearchParams(search),
      shown: true,
      change(parameters) {
        around.go(changed(around.search, parameters))
      },
      setUnsaved(unsaved) {
        around.unsaved = unsaved
        setUnsaved(unsaved)
      },
      open: path => void around.opened.push(path),
      turn: path => void around.opened.push(path),
      setTitle(title) {
        around.title = title
      },
    }),
    [around, search],
  )
  around.go = next => {
    around.search = next
    setSearch(next)
  }
  return (
    <ConfigProvider theme={{ zeroRuntime: true, token: { motion: false } }}>
      <QueryClientProvider client={client}>
        <App>
          <TabContext value={tab}>{children}</TabContext>
          <NoticePlace />
        </App>
      </QueryClientProvider>
    </ConfigProvider>
  )
}

function changed(search: string, parameters: Parameters<TabHandle['change']>[0]): string {
  const params = new URLSearchParams(search)
  for (const [name, value] of Object.entries(parameters)) {
    params.delete(name)
    for (const single of value === undefined ? [] : typeof value === 'string' ? [value] : value)
      params.append(name, single)
  }
  return params.toString()
}

/** What every list asks beside its rows, and every detail beside its record, and no test need foresee. */
const EVERYWHERE: Calls = { 'GET /api/common/view': () => ({ views: [], mayShare: false }) }
const nothing = () => []

/** Answers calls out of a table and keeps what was sent. A call nobody foresaw fails the test. */
export function answerCalls(calls: Calls): Sent[] {
  const sent: Sent[] = []
  // An answer a test never gave must not fail a later test ten seconds on.
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal)
  vi.stubGlobal('fetch', async (address: string, given: RequestInit) => {
    const url = new URL(address, 'http://console.test')
    const call: Sent = {
      name: `${given.method} ${url.pathname}`,
      query: Object.fromEntries(
        [...new Set(url.searchParams.keys())].map(name => [name, single(url.searchParams.getAll(name))]),
      ),
      body: typeof given.body === 'string' ? JSON.parse(given.body) : given.body,
      headers: given.headers as Record<string, string>,
      signal: given.signal as AbortSignal,
    }
    sent.push(call)
    const answer = calls[call.name] ?? EVERYWHERE[call.name] ?? (call.name.endsWith('/timeline') ? nothing : undefined)
    if (!answer) {
      console.error(`nobody answers ${call.name}`)
      return refused(CODES['not-found'], 'Not found: no such call')
    }
    const data = await untilAborted(call.signal, Promise.resolve(answer(call)))
    return data instanceof Response ? data : Response.json({ code: 0, msg: 'ok', data })
  })
  return sent
}

const single = (values: string[]): string | string[] => (values.length === 1 ? (values[0] as string) : values)

function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return Promise.race([
    work,
    new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    }),
  ])
}

/** How the server says no. */
export const refused = (code: number, msg: string, data: unknown = null, status = 200): Response =>
  Response.json({ code, msg, data }, { status })

export const paged = <T,>(records: readonly T[], total: number = records.length) => ({
  records,
  total,
  totalAt: '2026-03-02T06:00:00.000Z',
})

/** One answer after the other; the last one from then on. */
export function inTurn(...answers: readonly Answer[]): Answer {
  const left = [...answers]
  return sent => (left.length > 1 ? left.shift() : left[0])?.(sent)
}

/** An answer that comes when the test says so. */
export function held<T>(): { answer: () => Promise<T>; give(value: T): void } {
  let give: (value: T) => void = () => {}
  const promise = new Promise<T>(resolve => {
    give = resolve
  })
  return { answer: () => promise, give: value => give(value) }
}

export const type = (field: Element, text: string): void => {
  fireEvent.change(field, { target: { value: text } })
}

/** A button by its words or its label: on a whole page by far quicker than by role. Closed drawers count for nothing. */
export function findButton(name: string, within: ParentNode = document): HTMLButtonElement | undefined {
  const open = [...within.querySelectorAll('button')].filter(
    button => !button.closest('.ant-drawer:not(.ant-drawer-open), .ant-popover-hidden, .ant-dropdown-hidden'),
  )
  return open.find(button => button.textContent === name || button.getAttribute('aria-label') === name)
}

export function button(name: string, within?: ParentNode): HTMLButtonElement {
  const found = findButton(name, within)
  if (!found) throw new Error(`no button "${name}"`)
  return found
}

export const press = (name: string, within?: ParentNode): void => {
  fireEvent.click(button(name, within))
}

const OPTIONS = '.ant-select-item-option, .ant-select-tree-node-content-wrapper'

/** Chooses an option of a select, or of a tree to select from, by its words, as a person does: open, then click. */
export async function pick(select: Element, words: string): Promise<void> {
  fireEvent.mouseDown(select)
  const option = await waitFor(() => {
    const found = [...document.querySelectorAll(OPTIONS)].find(
      candidate => candidate.textContent?.includes(words) && !candidate.closest('.ant-select-dropdown-hidden'),
    )
    if (!found) throw new Error(`no option "${words}"`)
    return found
  })
  fireEvent.click(option)
}
