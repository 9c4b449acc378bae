/** The last part of a path: the name of a folder. */
export function folderName(path: string): string {
  return path.replace(/\/+$/, '').split('/').at(-1) ?? path
}
