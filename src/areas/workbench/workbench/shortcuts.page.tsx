import { Button, Checkbox, Popover } from 'antd'
import { useTexts } from '#kit/page/language.ts'
import { menuOf } from '#kit/page/menu.ts'
import { useNotices } from '#kit/page/notice.ts'
import { changePreference, usePreference } from '#kit/page/preference.ts'
import { loadPage } from '#kit/page/screens.ts'
import { addressOf } from '#kit/page/shell/tabs/tabs.ts'
import { useTab } from '#kit/page/tab.ts'
import { useUser } from '#kit/page/user.ts'
import type { locale } from './locale.ts'
import { NAME, Part } from './part.page.tsx'

/** Pages a person keeps at hand, on every machine. */
export function Shortcuts() {
  const say = useTexts<typeof locale>(NAME)
  const menu = useTexts('menu')
  const tab = useTab()
  const notices = useNotices()
  const user = useUser()
  const pinned = usePreference('shortcuts', kept => (Array.isArray(kept) ? kept.map(String) : []))
  const screens = menuOf(user)
    .flatMap(group => group.screens)
    .filter(screen => screen.name !== NAME)
  const choose = (names: readonly string[]) =>
    changePreference('shortcuts', names).catch(error => notices.failed(error, say('load-failed')))
  const choice = (
    <Checkbox.Group
      className="bench-choice"
      value={pinned}
      options={screens.map(screen => ({ value: screen.name, label: menu(screen.name as never) }))}
      onChange={names => void choose(names)}
    />
  )
  const shown = screens.filter(screen => pinned.includes(screen.name))
  return (
    <Part
      title={say('shortcuts')}
      tool={
        screens.length > 0 && (
          <Popover trigger="click" placement="bottomRight" content={choice}>
            <Button size="small">{say('shortcuts-choose')}</Button>
          </Popover>
        )
      }
    >
      {shown.length === 0 && <p className="bench-quiet">{say('shortcuts-empty')}</p>}
      <div className="bench-shortcuts">
        {shown.map(screen => (
          <Button
            key={screen.name}
            onMouseEnter={() => void loadPage(screen).catch(() => {})}
            onClick={() => tab.open(addressOf(screen.route))}
          >
            {menu(screen.name as never)}
          </Button>
        ))}
      </div>
    </Part>
  )
}
