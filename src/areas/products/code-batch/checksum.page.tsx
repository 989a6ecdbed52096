import { FileSearchOutlined } from '@ant-design/icons'
import { Button, Input, Space, Upload } from 'antd'
import { useTexts } from '#kit/page/language.ts'
import type { locale } from './locale.ts'
import { resource } from './model.ts'

type Props = { id?: string; value?: string; onChange?: (checksum: string) => void }

/** The checksum of the file that arrived: worked out here from the file itself, or brought along. */
export function ChecksumInput({ id, value, onChange }: Props) {
  const say = useTexts<typeof locale>(resource.screen.name)
  const read = async (file: Blob) => onChange?.(await checksumOf(file))
  return (
    <Space.Compact block>
      <Input
        {...(id === undefined ? {} : { id })}
        className="inkstone-code"
        maxLength={64}
        value={value ?? ''}
        onChange={event => onChange?.(event.target.value.trim().toLowerCase())}
      />
      {/* Browsers calculate only on safe origins; elsewhere it is worked out by other means. */}
      {globalThis.crypto.subtle && (
        <Upload
          showUploadList={false}
          accept=".xlsx"
          beforeUpload={file => {
            void read(file)
            return Upload.LIST_IGNORE
          }}
        >
          <Button icon={<FileSearchOutlined aria-hidden />}>{say('choose-file')}</Button>
        </Upload>
      )}
    </Space.Compact>
  )
}

async function checksumOf(file: Blob): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer())
  return Array.from(new Uint8Array(digest), byte => byte.toString(16).padStart(2, '0')).join('')
}
