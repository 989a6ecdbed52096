/** File types people may upload, told by their content, with the ending their names get. */
export const UPLOAD_TYPES = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'application/pdf': 'pdf',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
  'audio/webm': 'webm',
  'audio/ogg': 'ogg',
} as const
export type UploadType = keyof typeof UPLOAD_TYPES

export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' satisfies UploadType

const MEGABYTE = 1_048_576
const IMAGES: readonly UploadType[] = ['image/png', 'image/jpeg', 'image/webp', 'image/gif']
const FILMS: readonly UploadType[] = ['video/mp4', 'video/webm']
const RECORDINGS: readonly UploadType[] = ['audio/webm', 'audio/ogg']
/** What somebody says aloud is at most so long. */
export const MAX_VOICE_SECONDS = 60

/** What a file is for decides what it may be; asked before sending by the page, and again by the server. */
export const UPLOADS = {
  image: { types: IMAGES, maxBytes: 10 * MEGABYTE },
  document: { types: [...IMAGES, 'application/pdf', XLSX_TYPE] as readonly UploadType[], maxBytes: 20 * MEGABYTE },
  video: { types: FILMS, maxBytes: 100 * MEGABYTE },
  voice: { types: RECORDINGS, maxBytes: 2 * MEGABYTE },
} as const
export type UploadPurpose = keyof typeof UPLOADS
export const UPLOAD_PURPOSES = Object.keys(UPLOADS) as [UploadPurpose, ...UploadPurpose[]]

/** What is larger is sent in parts of this size: a broken line costs one of them, and not the whole. */
export const PART_BYTES = 2 * MEGABYTE

/** A picture of more pixels costs whoever opens it more memory than its bytes tell. */
export const MAX_PIXELS = 40_000_000

export const isImage = (type: string): boolean => IMAGES.includes(type as UploadType)

/** What the browser shows by itself, and what cannot carry a script: everything else is saved. */
export const isShown = (type: string): boolean =>
  isImage(type) || [...FILMS, ...RECORDINGS].includes(type as UploadType)
