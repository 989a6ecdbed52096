import { Modal } from 'antd'
import { useTexts } from '../../language.ts'
import { COMMAND, type PageKey, usePageKeys } from '../../page-keys.ts'
import type { locale } from './locale.ts'

const KEYS = [
  [[`${COMMAND} K`], 'key.palette'],
  [['/'], 'key.search'],
  [['j', 'k'], 'key.rows'],
  [['x'], 'key.select'],
  [['Enter'], 'key.open'],
  [['e'], 'key.edit'],
  [['Esc'], 'key.back'],
  [[`${COMMAND} Enter`], 'key.submit'],
  [['Delete'], 'key.close-tab'],
  [['?'], 'key.help'],
] as const

/** The keys of every page, after those of the page that is shown. */
export function HelpSheet({ open, onClose }: { open: boolean; onClose(): void }) {
  const say = useTexts<typeof locale>('kit/page/shell/palette')
  const { told } = usePageKeys()
  const everywhere = <Keys of={KEYS.map(([keys, text]) => ({ keys, text: say(text) }))} isWide={told !== null} />
  return (
    <Modal
      open={open}
      onCancel={onClose}
      footer={null}
      title={say('help')}
      width={told ? 800 : 480}
      {...(told ? { style: { top: 24 } } : {})}
    >
      {told ? (
        <>
          <section aria-label={told.title}>
            <h2 className="ink-keys-head">{told.title}</h2>
            <Keys of={told.keys} isWide />
          </section>
          <section aria-label={say('everywhere')}>
            <h2 className="ink-keys-head">{say('everywhere')}</h2>
            {everywhere}
          </section>
        </>
      ) : (
        everywhere
      )}
    </Modal>
  )
}

const Keys = ({ of, isWide }: { of: readonly PageKey[]; isWide: boolean }) => (
  <dl className={isWide ? 'ink-keys ink-keys-wide' : 'ink-keys'}>
    {of.map(({ keys, text }) => (
      <div key={text}>
        <dt>
          {keys.map(key => (
            <kbd key={key}>{key}</kbd>
          ))}
        </dt>
        <dd>{text}</dd>
      </div>
    ))}
  </dl>
)
