import { TOKEN_COOKIE, TOKEN_LIFE_MS } from '#kit/model/contract.ts'

const KEY = TOKEN_COOKIE

/**
 * The token lives in local storage and, for the contract, in a cookie that authenticates nothing. Storage is the truth:
 * another tab may have been given a newer token meanwhile.
 */
export function readToken(): string | null {
  const stored = readStored()
  if (!stored) return null
  if (stored.until > Date.now()) return stored.token
  clearToken()
  return null
}

export function writeToken(token: string): void {
  localStorage.setItem(KEY, JSON.stringify({ token, until: Date.now() + TOKEN_LIFE_MS }))
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and on plain http
  document.cookie = `${TOKEN_COOKIE}=${token}; path=/; max-age=${TOKEN_LIFE_MS / 1000}; SameSite=Strict${secure}`
}

export function clearToken(): void {
  localStorage.removeItem(KEY)
  // biome-ignore lint/suspicious/noDocumentCookie: see above
  document.cookie = `${TOKEN_COOKIE}=; path=/; max-age=0; SameSite=Strict`
}

function readStored(): { token: string; until: number } | null {
  try {
    const value = JSON.parse(localStorage.getItem(KEY) ?? 'null')
    return typeof value?.token === 'string' && typeof value.until === 'number' ? value : null
  } catch {
    return null
  }
}
