import { Modal } from 'antd'
import { useTexts } from '../../language.ts'
import type { locale } from './locale.ts'

const COMMAND = /mac/i.test(navigator.userAgent) ? '⌘' : 'Ctrl'

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

export function HelpSheet({ open, onClose }: { open: boolean; onClose(): void }) {
  const say = useTexts<typeof locale>('kit/page/shell/palette')
  return (
    <Modal open={open} onCancel={onClose} footer={null} title={say('help')} width={480}>
      <dl className="ink-keys">
        {KEYS.map(([keys, text]) => (
          <div key={text}>
            <dt>
              {keys.map(key => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{say(text)}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  )
}
