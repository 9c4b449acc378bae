/** What `migrate` needs from outside beside the repository. */

export interface SourceFile {
  readonly bytes: Uint8Array
  readonly mtimeMillis: number
}

export interface MigrationSources {
  /** Tracked files and untracked, not ignored ones at or below the paths; from the top. */
  list(paths: readonly string[]): Promise<string[]>
  /** A regular file of at most 16 MiB; links are not followed. */
  read(
    path: string,
  ): SourceFile | { problem: 'absent' | 'link' | 'not-a-file' | 'too-large' | 'unreadable' }
  /** Unix milliseconds of the last commit in HEAD's history that touched the path. */
  committedAt(path: string): Promise<number | undefined>
}
