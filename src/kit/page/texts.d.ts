declare module 'virtual:texts' {
  type Bundle = { texts: Record<string, Record<string, string>> }
  export const loaders: Record<string, () => Promise<Bundle>>
}
