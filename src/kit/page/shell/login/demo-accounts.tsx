import { currentLanguage, useTexts } from '../../language.ts'
import { type DemoAccount, useServerSettings } from '../../server-settings.ts'
import type { locale } from './locale.ts'

/** One click fills in an account of the demo business; a server with real data sends none. */
export function DemoAccounts({ onPick }: { onPick(account: DemoAccount): void }) {
  const say = useTexts<typeof locale>('kit/page/shell/login')
  const accounts = useServerSettings(({ settings }) => settings?.demoAccounts ?? NONE)
  if (accounts.length === 0) return null
  // Names of roles are data, written in Chinese; the account says the same in Latin letters.
  const isChinese = currentLanguage().startsWith('zh')
  return (
    <section className="ink-demo" aria-label={say('demo')}>
      <h2>{say('demo')}</h2>
      <ul>
        {accounts.map(account => (
          <li key={account.account}>
            <button type="button" title={`${account.role} · ${account.account}`} onClick={() => onPick(account)}>
              {isChinese ? account.role : account.account}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

const NONE: readonly DemoAccount[] = []
