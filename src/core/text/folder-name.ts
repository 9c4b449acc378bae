/** The last part of a path: what a folder is called. */
export function folderName(path: string): string {
  return path.replace(/\/+$/, '').split('/').at(-1) ?? path
}
