const SIDE = 192
const QUALITY = 0.85

/** Cuts the middle square out of a picture and makes it small: a face in a corner needs no ten megabytes. */
export async function shrinkPicture(file: Blob): Promise<string> {
  const bitmap = await createImageBitmap(file)
  const side = Math.min(bitmap.width, bitmap.height)
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = SIDE
  const paper = canvas.getContext('2d')
  if (!paper) throw new Error('this browser cannot draw')
  paper.drawImage(bitmap, (bitmap.width - side) / 2, (bitmap.height - side) / 2, side, side, 0, 0, SIDE, SIDE)
  return canvas.toDataURL('image/jpeg', QUALITY)
}
