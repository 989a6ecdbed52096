/** A person's picture, or the first sign of the name. */
export function Avatar({ name, picture }: { name: string; picture: string | null }) {
  return (
    <span className="ink-face" aria-hidden="true">
      {picture ? <img src={picture} alt="" /> : [...name][0]}
    </span>
  )
}
