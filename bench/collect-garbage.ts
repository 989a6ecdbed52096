// Loaded into both servers (node --expose-gc --import): what stays after a collection is what sockets really hold.
process.on('SIGUSR2', () => {
  globalThis.gc?.()
  globalThis.gc?.()
})
