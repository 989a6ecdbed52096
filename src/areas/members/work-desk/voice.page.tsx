import { AudioOutlined, DeleteOutlined } from '@ant-design/icons'
import { Button, Space } from 'antd'
import { useCallback, useEffect, useRef, useState } from 'react'
import { MAX_VOICE_SECONDS } from '#kit/model/upload.ts'
import { Sent } from '#kit/page/field/files.tsx'
import { sendFile } from '#kit/page/field/send-file.ts'
import { useTexts } from '#kit/page/language.ts'
import { useNotices } from '#kit/page/notice.tsx'
import type { locale } from './locale.ts'
import { done, usePresses } from './use-presses.page.tsx'

type Props = { voice: readonly string[]; onVoice(voice: readonly string[]): void }

/** What a teacher says aloud: recorded here, heard again before it is sent, and taken away again. */
export function Voice({ voice, onVoice }: Props) {
  const say = useTexts<typeof locale>('members/work-desk')
  const notices = useNotices()
  const [isSending, setSending] = useState(false)
  const keep = async (recorded: File) => {
    setSending(true)
    try {
      onVoice([(await sendFile(recorded, 'voice')).id])
    } catch (error) {
      notices.failed(error, say('desk.voice'))
    } finally {
      setSending(false)
    }
  }
  const { seconds, begin, end } = useRecorder(keep, () => notices.failed(say('desk.no-microphone'), say('desk.voice')))
  usePresses((key, { shiftKey }) => {
    if (key !== 's' || isSending) return false
    if (voice.length > 0) return shiftKey && done(() => onVoice([]))
    return done(seconds === null ? begin : end)
  })
  if (voice.length > 0)
    return (
      <Space size={4} className="work-voice">
        <Sent purpose="voice" ids={voice} />
        <Button
          size="small"
          type="text"
          aria-label={say('desk.voice-remove')}
          icon={<DeleteOutlined />}
          onClick={() => onVoice([])}
        />
      </Space>
    )
  return (
    <Button
      size="small"
      className="work-voice"
      danger={seconds !== null}
      loading={isSending}
      icon={<AudioOutlined aria-hidden />}
      onClick={seconds === null ? begin : end}
    >
      {seconds === null
        ? say('desk.voice-begin', { seconds: MAX_VOICE_SECONDS })
        : say('desk.voice-end', { seconds, max: MAX_VOICE_SECONDS })}{' '}
      <kbd>S</kbd>
    </Button>
  )
}

/** Kept small: a minute of speech is a quarter of a megabyte. */
const BITS_PER_SECOND = 32_000
const TYPES = ['audio/webm;codecs=opus', 'audio/ogg;codecs=opus']
const TICK_MS = 250

/** How long somebody has been speaking; nothing while nobody does. The microphone is let go of with the recording. */
function useRecorder(onRecorded: (file: File) => void, onRefused: () => void) {
  const [seconds, setSeconds] = useState<number | null>(null)
  const recorder = useRef<MediaRecorder>(undefined)
  const latest = useRef(onRecorded)
  latest.current = onRecorded
  const begin = async () => {
    const type =
      typeof MediaRecorder === 'undefined' ? undefined : TYPES.find(one => MediaRecorder.isTypeSupported(one))
    const stream = await navigator.mediaDevices?.getUserMedia({ audio: true }).catch(() => undefined)
    if (type === undefined || !stream) return onRefused()
    recorder.current = record(stream, type, file => latest.current(file))
    setSeconds(0)
  }
  const end = useCallback(() => {
    recorder.current?.stop()
    setSeconds(null)
  }, [])
  const isOn = seconds !== null
  useEffect(
    function countSeconds() {
      if (!isOn) return
      const begun = Date.now()
      const timer = setInterval(() => {
        const passed = Math.floor((Date.now() - begun) / 1_000)
        setSeconds(passed)
        if (passed >= MAX_VOICE_SECONDS) end()
      }, TICK_MS)
      return () => clearInterval(timer)
    },
    [isOn, end],
  )
  useEffect(function letGo() {
    return () => {
      latest.current = () => {}
      recorder.current?.stop()
    }
  }, [])
  return { seconds, begin, end }
}

function record(stream: MediaStream, type: string, onRecorded: (file: File) => void): MediaRecorder {
  const parts: Blob[] = []
  const recorder = new MediaRecorder(stream, { mimeType: type, audioBitsPerSecond: BITS_PER_SECOND })
  recorder.ondataavailable = ({ data }) => parts.push(data)
  recorder.onstop = () => {
    for (const track of stream.getTracks()) track.stop()
    onRecorded(new File(parts, 'voice', { type }))
  }
  recorder.start()
  return recorder
}
