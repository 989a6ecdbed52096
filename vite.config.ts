import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { refuseServerCode, textBundles } from './tools/vite-plugins.ts'

export default defineConfig({
  plugins: [react(), refuseServerCode(), textBundles()],
  build: {
    outDir: 'dist/console',
    target: 'es2023',
    // Sizes are judged by `npm test`, gzipped and per page, not by one chunk.
    chunkSizeWarningLimit: 1_200,
    manifest: true,
  },
  server: { proxy: { '/api': 'http://127.0.0.1:8000', '/ws': { target: 'ws://127.0.0.1:8000', ws: true } } },
})
