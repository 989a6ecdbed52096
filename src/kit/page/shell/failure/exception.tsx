import { useTexts } from '../../language.ts'
import type { locale } from '../locale.ts'
import { type Exception, HOME } from '../session/guard.ts'
import { go } from '../session/navigation.ts'

export function ExceptionPage({ code }: { code: Exception }) {
  const say = useTexts<typeof locale>('kit/page/shell')
  return (
    <section className="ink-exception">
      <p className="ink-exception-code" aria-hidden="true">
        {code}
      </p>
      <h1>{say(`exception.${code}`)}</h1>
      <p>{say(`exception.${code}-text`)}</p>
      <button type="button" className="ink-button ink-button-primary" onClick={() => go(HOME)}>
        {say('to-home')}
      </button>
    </section>
  )
}
