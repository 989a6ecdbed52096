import { Button, Flex, Typography } from 'antd'
import { placeOf } from '#engines/rule/fault.model.ts'
import { strangeFacts } from '#engines/rule/script-facts.model.ts'
import { useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'
import { type KnownFacts, resource } from './model.ts'

type Props = { source: string; known: KnownFacts; onChange(source: string): void }

/** Facts the script asks for which nobody hands in, each where it stands, with what may have been meant. */
export function StrangeFacts({ source, known: { facts, added }, onChange }: Props) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const strange = strangeFacts(source, [...facts.map(({ name }) => name), ...added])
  return (
    <div aria-live="polite">
      {strange.map(({ name, start, end, meant }) => (
        <Flex key={start} gap={8} align="baseline" wrap>
          <Typography.Text type="secondary">{say('fact-place', placeOf(source, start))}</Typography.Text>
          <Typography.Text type="warning">{say('fact-unknown', { name })}</Typography.Text>
          {meant !== undefined && (
            <Button
              size="small"
              type="link"
              onClick={() =>
                onChange(source.slice(0, start) + respelt(source.slice(start, end), meant) + source.slice(end))
              }
            >
              {say('fact-meant', { meant })}
            </Button>
          )}
        </Flex>
      ))}
    </div>
  )
}

/** A name in quotes stays in them. */
const respelt = (old: string, meant: string): string => (/^['"]/.test(old) ? old[0] + meant + old[0] : meant)
