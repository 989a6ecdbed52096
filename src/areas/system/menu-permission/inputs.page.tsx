import { Flex, Form, Input, type InputProps, Radio } from 'antd'
import type { Language } from '#kit/model/language.ts'
import { MENU_ICONS, type MenuIcon } from '#kit/model/menu.ts'
import { useTexts } from '#kit/page/language.ts'
import { AreaIcon } from '#kit/page/shell/look/icons.tsx'
import type { locale } from './locale.ts'
import { type MenuPermission, resource } from './model.ts'

/** Where nothing is entered, the code's name stands. */
export function NameInput({ language, ...input }: InputProps & { language: Language }) {
  const names = Form.useFormInstance().getFieldValue('codeNames') as MenuPermission['codeNames'] | undefined
  return <Input {...input} placeholder={names?.[language]} />
}

/** Each stands by itself, not as a part of a bar. */
const ROUND = { borderRadius: 6 }

type IconProps = { value?: MenuIcon | null; onChange?(name: MenuIcon | null): void }

/** All there are, to choose by sight; the code's own is the first. */
export function IconInput({ value = null, onChange }: IconProps) {
  const say = useTexts<typeof locale>(resource.screen.name)
  return (
    <Radio.Group value={value ?? ''} optionType="button" onChange={event => onChange?.(event.target.value || null)}>
      <Flex wrap gap={4}>
        <Radio.Button value="" style={ROUND}>
          {say('icon-none')}
        </Radio.Button>
        {MENU_ICONS.map(name => (
          <Radio.Button
            key={name}
            value={name}
            style={ROUND}
            title={say(`icon.${name}`)}
            aria-label={say(`icon.${name}`)}
          >
            <AreaIcon name={name} />
          </Radio.Button>
        ))}
      </Flex>
    </Radio.Group>
  )
}
