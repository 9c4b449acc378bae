import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: { main: 'src/main.ts' },
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  outDir: 'dist',
  clean: true,
  dts: false,
  // One folder of small chunks: an entry point loads only what it needs.
  outputOptions: { chunkFileNames: '[name]-[hash].js', entryFileNames: '[name].js' },
})
