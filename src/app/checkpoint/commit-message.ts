/** What a commit says. */

import type { RepositoryPort } from '../ports.ts'

/** The message; empty where the repository does not have the commit. */
export async function messageOf(
  { objects }: Pick<RepositoryPort, 'objects'>,
  commit: string,
): Promise<string> {
  const object = await objects.read(commit)
  if (object?.type !== 'commit') return ''
  const text = Buffer.from(object.content).toString('utf8')
  const head = text.indexOf('\n\n')
  return head === -1 ? '' : text.slice(head + 2)
}

export async function subjectOf(
  repository: Pick<RepositoryPort, 'objects'>,
  commit: string,
): Promise<string> {
  const [subject = ''] = (await messageOf(repository, commit)).trimStart().split('\n')
  return subject
}
