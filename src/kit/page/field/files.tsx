import { UploadOutlined } from '@ant-design/icons'
import { useQueries } from '@tanstack/react-query'
import { Button, Image, Upload } from 'antd'
import { use, useRef, useState } from 'react'
import { UPLOADS, type UploadPurpose } from '#kit/model/upload.ts'
import { post } from '../call.ts'
import { useTexts } from '../language.ts'
import type { locale } from '../locale.ts'
import { useNotices } from '../notice.tsx'
import { sendFile } from './send-file.ts'
import { UnderWayContext } from './under-way.ts'

type Props = {
  purpose: string
  id?: string
  value?: string[]
  onChange?: (value: string[]) => void
  disabled?: boolean
}

/** Uploads at once and keeps the ids; the record takes them over when the form is saved. */
export function FilesInput({ purpose, value = [], onChange, disabled }: Props) {
  const say = useTexts<typeof locale>('kit/page')
  const notices = useNotices()
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map())
  // Two files may be on their way at once: each is added to what stands there when it arrives.
  const kept = useRef(value)
  kept.current = value
  const keep = (ids: string[]) => {
    kept.current = ids
    onChange?.(ids)
  }
  const [coming, setComing] = useState<readonly { uid: string; name: string }[]>([])
  const begin = use(UnderWayContext)
  /** How each that is on its way is waited for no longer. */
  const awaited = useRef(new Map<string, () => void>())
  const letGo = (uid: string) => {
    awaited.current.get(uid)?.()
    awaited.current.delete(uid)
    setComing(others => others.filter(other => other.uid !== uid))
  }
  const send = async (file: File) => {
    const uid = crypto.randomUUID()
    awaited.current.set(uid, begin())
    setComing(others => [...others, { uid, name: file.name }])
    try {
      const { id, name } = await sendFile(file, purpose)
      // Taken away before it came.
      if (!awaited.current.has(uid)) return
      setNames(known => new Map(known).set(id, name))
      // Before it is kept: the form looks at what it holds with every file.
      letGo(uid)
      keep([...kept.current, id])
    } catch (error) {
      if (awaited.current.has(uid)) notices.failed(error, say('upload-failed'))
    } finally {
      letGo(uid)
    }
  }
  return (
    <Upload
      fileList={[
        ...value.map((id, index) => ({
          uid: id,
          // One that was sent before a reload is known by its number alone.
          name: names.get(id) ?? say('picture', { number: index + 1 }),
          status: 'done' as const,
        })),
        ...coming.map(file => ({ ...file, status: 'uploading' as const })),
      ]}
      beforeUpload={file => {
        void send(file)
        return false
      }}
      onRemove={({ uid }) => {
        if (awaited.current.has(uid)) letGo(uid)
        else keep(kept.current.filter(id => id !== uid))
      }}
      accept={UPLOADS[purpose as UploadPurpose]?.types.join(',')}
      multiple
      disabled={disabled ?? false}
    >
      <Button icon={<UploadOutlined aria-hidden />}>{say('upload')}</Button>
    </Upload>
  )
}

type SentProps = { purpose: string; ids: readonly string[]; large?: boolean }

/** What was sent with a record, as it is looked at. Links are signed and live five minutes. */
export const Sent = ({ purpose, ids, large = false }: SentProps) =>
  purpose === 'video' || purpose === 'voice' ? (
    <Played purpose={purpose} ids={ids} />
  ) : (
    <Pictures ids={ids} large={large} />
  )

type Link = { readonly url: string; readonly small?: string }

function useLinks(ids: readonly string[], size?: 'small'): readonly (Link | undefined)[] {
  const links = useQueries({
    queries: ids.map(id => ({
      queryKey: ['file-link', id, size],
      queryFn: () => post<Link>(`/common/file/${id}/link`, size && { size }),
      staleTime: 240_000,
    })),
  })
  return links.map(({ data }) => data)
}

/** Small, or large enough to judge, with a viewer on click that shows them whole. */
export function Pictures({ ids, large = false }: Omit<SentProps, 'purpose'>) {
  const say = useTexts<typeof locale>('kit/page')
  const pictures = useLinks(ids, large ? undefined : 'small').map(
    (link, index) =>
      link && (
        <Image
          key={ids[index]}
          src={link.small ?? link.url}
          preview={{ src: link.url }}
          alt={say('picture', { number: index + 1 })}
          {...(large ? {} : { height: 56 })}
        />
      ),
  )
  return (
    <Image.PreviewGroup>{large ? <div className="inkstone-pictures">{pictures}</div> : pictures}</Image.PreviewGroup>
  )
}

function Played({ purpose, ids }: { purpose: 'video' | 'voice'; ids: readonly string[] }) {
  const say = useTexts<typeof locale>('kit/page')
  return useLinks(ids).map((link, index) => {
    if (!link) return null
    const told = { src: link.url, controls: true, preload: 'metadata' as const }
    return purpose === 'voice' ? (
      <audio key={ids[index]} {...told} aria-label={say('voice')} className="inkstone-voice" />
    ) : (
      <video
        key={ids[index]}
        {...told}
        aria-label={say('film', { number: index + 1 })}
        className="inkstone-film"
        playsInline
      />
    )
  })
}
