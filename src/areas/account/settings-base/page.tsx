import { useQuery } from '@tanstack/react-query'
import { Avatar, Button, Form, Input, Radio, Select, Skeleton, Upload } from 'antd'
import { useState } from 'react'
import { LANGUAGES } from '#kit/model/language.ts'
import { CallFailed, get, put } from '#kit/page/call.ts'
import { useTexts } from '#kit/page/language.ts'
import type { locale as kitLocale } from '#kit/page/locale.ts'
import { useNotices } from '#kit/page/notice.tsx'
import { LANGUAGE_NAMES } from '#kit/page/shell/session/language-names.ts'
import { useTab } from '#kit/page/tab.ts'
import { loadUser } from '#kit/page/user.ts'
import { area } from '../area.ts'
import { Center } from '../center.page.tsx'
import type { locale } from './locale.ts'
import { GENDERS, type Profile, type ProfileChange } from './model.ts'
import { shrinkPicture } from './picture.page.tsx'

const SCREEN = area.screens['settings-base']
/** A select cannot hold nothing. */
const NO_LANGUAGE = ''

export function Page() {
  const { data, refetch } = useQuery({
    queryKey: [SCREEN.name],
    queryFn: ({ signal }) => get<Profile>(`/${SCREEN.name}`, { signal }),
    // Another version would take what is being typed along.
    refetchOnWindowFocus: false,
  })
  return (
    <Center screen={SCREEN}>
      {/* Another version is another form; what is typed stays while only the tab changes. */}
      {data ? (
        <ProfileForm key={data.version} profile={data} onSaved={() => void refetch()} />
      ) : (
        <Skeleton active title={false} />
      )}
    </Center>
  )
}

function ProfileForm({ profile, onSaved }: { profile: Profile; onSaved(): void }) {
  const say = useTexts<typeof locale>(SCREEN.name)
  const kit = useTexts<typeof kitLocale>('kit/page')
  const notices = useNotices()
  const tab = useTab()
  const [form] = Form.useForm<ProfileChange>()
  const [sending, setSending] = useState(false)

  const save = async (values: ProfileChange) => {
    setSending(true)
    try {
      await put(`/${SCREEN.name}`, {
        ...values,
        phone: values.phone || null,
        email: values.email || null,
        language: values.language || null,
        version: profile.version,
      })
      tab.setUnsaved(false)
      notices.done(kit('edited-ok'))
      onSaved()
      // The header shows name and picture too.
      await loadUser()
    } catch (error) {
      if (error instanceof CallFailed)
        form.setFields(
          Object.entries(error.fields).map(([name, message]) => ({
            name: name as keyof ProfileChange,
            errors: [message],
          })),
        )
      notices.failed(error, kit('edit-failed'))
    } finally {
      setSending(false)
    }
  }

  return (
    <Form
      form={form}
      layout="vertical"
      initialValues={{ ...profile, language: profile.language ?? NO_LANGUAGE }}
      onFinish={save}
      onValuesChange={() => tab.setUnsaved(true)}
    >
      <dl className="center-facts">
        <dt>{say('field.account')}</dt>
        <dd>{profile.account}</dd>
        <dt>{say('field.org')}</dt>
        <dd>{profile.org}</dd>
        <dt>{say('field.roles')}</dt>
        <dd>{profile.roles.join(', ')}</dd>
      </dl>
      <Form.Item name="avatar" label={say('field.avatar')}>
        <Picture name={profile.name} />
      </Form.Item>
      <Form.Item
        name="name"
        label={say('field.name')}
        rules={[{ required: true, whitespace: true, message: kit('required', { name: say('field.name') }) }]}
      >
        <Input maxLength={50} autoComplete="name" />
      </Form.Item>
      <Form.Item name="gender" label={say('field.gender')}>
        <Radio.Group options={GENDERS.map(value => ({ value, label: say(`gender.${value}`) }))} />
      </Form.Item>
      <Form.Item name="phone" label={say('field.phone')} extra={profile.phone && say('phone-help')}>
        <Input maxLength={30} inputMode="tel" autoComplete="off" />
      </Form.Item>
      <Form.Item name="email" label={say('field.email')}>
        <Input maxLength={100} type="email" autoComplete="email" />
      </Form.Item>
      <Form.Item name="language" label={say('field.language')}>
        <Select
          options={[
            { value: NO_LANGUAGE, label: say('language-none') },
            ...LANGUAGES.map(value => ({ value, label: LANGUAGE_NAMES[value] })),
          ]}
        />
      </Form.Item>
      <Button type="primary" htmlType="submit" loading={sending}>
        {kit('save')}
      </Button>
    </Form>
  )
}

/** The picture as a data URL; Form.Item gives value and onChange. */
function Picture({
  name,
  value,
  onChange,
}: {
  name: string
  value?: string | null
  onChange?(value: string | null): void
}) {
  const say = useTexts<typeof locale>(SCREEN.name)
  const notices = useNotices()
  const take = (file: File) => {
    shrinkPicture(file).then(onChange, () => notices.failed(undefined, say('avatar-invalid')))
    // It travels with the form, not by itself.
    return false
  }
  return (
    <div className="center-avatar">
      <Avatar size={56} {...(value ? { src: value } : {})} alt="">
        {[...name][0]}
      </Avatar>
      <Upload accept="image/png,image/jpeg,image/webp" showUploadList={false} beforeUpload={take}>
        <Button>{say('avatar-choose')}</Button>
      </Upload>
      {value && (
        <Button type="text" onClick={() => onChange?.(null)}>
          {say('avatar-remove')}
        </Button>
      )}
    </div>
  )
}
