import './login.css'
import { LANGUAGES, type Language } from '#kit/model/language.ts'
import { currentLanguage, useTexts } from '../../language.ts'
import { chooseLanguage } from '../session/choose-language.ts'
import { OPEN_ROUTES, type OpenRoute } from '../session/guard.ts'
import { LANGUAGE_NAMES } from '../session/language-names.ts'
import { useTitle } from '../session/title.ts'
import { InkCharacter } from './ink.tsx'
import type { locale } from './locale.ts'
import { LoginForm } from './login-form.tsx'

/** Spec §2: language selector, logo, footer; and a little ink. */
export function LoginLayout({ name }: { name: OpenRoute }) {
  const say = useTexts<typeof locale>('kit/page/shell/login')
  useTitle(say(name === 'login' ? 'title' : 'register'))
  return (
    <div className="ink-login">
      <div className="ink-paper">
        <InkCharacter />
      </div>
      <header className="ink-login-head">
        <span className="ink-logo">
          <img src="/mark.svg" alt="" width={28} height={28} />
          {say('app')}
        </span>
        <LanguageSelect label={say('language')} />
      </header>
      <main className="ink-login-body">
        <h1>{say(name === 'login' ? 'welcome' : 'register')}</h1>
        <p>{say(name === 'login' ? 'subtitle' : 'register-text')}</p>
        {name === 'login' ? <LoginForm /> : <a href={`#${OPEN_ROUTES.login}`}>{say('to-login')}</a>}
      </main>
      <footer className="ink-login-foot">{say('copyright')}</footer>
    </div>
  )
}

/** The browser's own select: the page that everybody waits for carries no menu. */
function LanguageSelect({ label }: { label: string }) {
  return (
    <select
      className="ink-language"
      aria-label={label}
      value={currentLanguage()}
      onChange={event => void chooseLanguage(event.target.value as Language)}
    >
      {LANGUAGES.map(language => (
        <option key={language} value={language}>
          {LANGUAGE_NAMES[language]}
        </option>
      ))}
    </select>
  )
}
