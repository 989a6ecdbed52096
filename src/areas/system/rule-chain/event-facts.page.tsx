import { Typography } from 'antd'
import type { locale as ruleLocale } from '#engines/rule/locale.ts'
import { useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'
import { type KnownNames, resource } from './model.ts'

/** What a chain for this event may ask for, with its kind; of a list what is known of each item. */
export function EventFacts({ event: { facts } }: { event: KnownNames['events'][number] }) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const rule = useTexts<typeof ruleLocale>('engines/rule')
  return (
    <details className="rule-facts">
      <summary>{say('event-facts')}</summary>
      <dl>
        {facts.map(({ name, title, kind, fields }) => (
          <div key={name}>
            <dt>
              <Typography.Text code>{name}</Typography.Text>
            </dt>
            <dd>
              {title} · {rule(`kind.${kind}`)}
              {fields.map(field => (
                <div key={field.name}>
                  <Typography.Text code>{`item.${field.name}`}</Typography.Text> {field.title} ·{' '}
                  {rule(`kind.${field.kind}`)}
                </div>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
