import { CheckOutlined } from '@ant-design/icons'
import { Button, Drawer, Segmented, Switch } from 'antd'
import { type ReactNode, useId } from 'react'
import { useTexts } from '../../language.ts'
import { COLOURS, changeSettings, DEFAULTS, type Settings, useSettings } from '../../settings.ts'
import type { locale } from './locale.ts'

/** Every local setting of spec §3; each acts at once and is remembered. */
export function SettingsDrawer({ open, onClose }: { open: boolean; onClose(): void }) {
  const say = useTexts<typeof locale>('kit/page/shell/settings')
  const settings = useSettings()
  return (
    <Drawer open={open} onClose={onClose} title={say('title')} size={320} footer={<Foot />}>
      <div className="ink-settings">
        <Choice
          name="page-style"
          value={settings.dark ? 'dark' : 'light'}
          options={['light', 'dark']}
          onChange={style => changeSettings({ dark: style === 'dark' })}
        />
        <Colours />
        <h2>{say('navigation')}</h2>
        <Choice
          name="nav-style"
          value={settings.navTheme}
          options={['light', 'dark']}
          onChange={navTheme => changeSettings({ navTheme })}
        />
        <Choice
          name="layout"
          value={settings.layout}
          options={['side', 'top']}
          onChange={layout => changeSettings({ layout })}
        />
        <Choice
          name="content-width"
          value={settings.contentWidth}
          options={['Fluid', 'Fixed']}
          onChange={contentWidth => changeSettings({ contentWidth })}
        />
        <Toggle name="fixed-header" of="fixedHeader" />
        <Toggle
          name="auto-hide-header"
          of="autoHideHeader"
          disabled={!settings.fixedHeader}
          help={say('auto-hide-help')}
        />
        <Toggle name="fixed-sidebar" of="fixedSidebar" disabled={settings.layout === 'top'} />
        <Toggle name="multi-tab" of="multiTab" />
        <h2>{say('other')}</h2>
        <Choice
          name="density"
          value={settings.density}
          options={['small', 'middle', 'large']}
          onChange={density => changeSettings({ density })}
        />
        <Toggle name="weak-mode" of="weakMode" />
      </div>
    </Drawer>
  )
}

type Name = Extract<keyof (typeof locale)['zh-CN'], string>

function Choice<Value extends Name>({
  name,
  value,
  options,
  onChange,
}: {
  name: Name
  value: Value
  options: readonly Value[]
  onChange(value: Value): void
}) {
  const say = useTexts<typeof locale>('kit/page/shell/settings')
  const id = useId()
  return (
    <div className="ink-setting">
      <span id={id}>{say(name)}</span>
      <Segmented
        aria-labelledby={id}
        name={id}
        value={value}
        options={options.map(option => ({ value: option, label: say(option) }))}
        onChange={onChange}
      />
    </div>
  )
}

type Flag = { [K in keyof Settings]: Settings[K] extends boolean ? K : never }[keyof Settings]

function Toggle({ name, of, disabled = false, help }: { name: Name; of: Flag; disabled?: boolean; help?: ReactNode }) {
  const say = useTexts<typeof locale>('kit/page/shell/settings')
  const isOn = useSettings(settings => settings[of])
  const id = useId()
  return (
    <div className="ink-setting">
      <label htmlFor={id}>
        {say(name)}
        {disabled && help && <small>{help}</small>}
      </label>
      <Switch id={id} checked={isOn} disabled={disabled} onChange={value => changeSettings({ [of]: value })} />
    </div>
  )
}

function Colours() {
  const say = useTexts<typeof locale>('kit/page/shell/settings')
  const chosen = useSettings(settings => settings.colour)
  const id = useId()
  return (
    <fieldset className="ink-colours">
      <legend>{say('colour')}</legend>
      {COLOURS.map(colour => (
        <label key={colour} title={say(`colour.${colour}`)} style={{ background: colour }}>
          <input
            type="radio"
            name={id}
            aria-label={say(`colour.${colour}`)}
            checked={colour === chosen}
            onChange={() => changeSettings({ colour })}
          />
          {colour === chosen && <CheckOutlined aria-hidden />}
        </label>
      ))}
    </fieldset>
  )
}

function Foot() {
  const say = useTexts<typeof locale>('kit/page/shell/settings')
  // The language is chosen in the header and stays as it is.
  const { language: _, ...defaults } = DEFAULTS
  return (
    <div className="ink-setting">
      <small>{say('kept')}</small>
      <Button size="small" onClick={() => changeSettings(defaults)}>
        {say('reset')}
      </Button>
    </div>
  )
}
