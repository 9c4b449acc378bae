/** What is wrong or unusual about all that is shown. */

import type { JSX } from 'preact'
import type { Source } from './header.tsx'
import type { Failure } from './server-api.ts'
import { plain } from './plain.ts'

interface BannersInput {
  readonly source: Source
  readonly failure: Failure | null
  readonly isEmpty: boolean
}

export function Banners({ source, failure, isEmpty }: BannersInput): JSX.Element {
  const kept = isEmpty ? '' : ' What it knew before is still shown.'
  return (
    <div class="banners" role="status">
      {source === 'expired' && (
        <p class="banner bad">
          This link is of a server that ended. Run <code>ledger-git dashboard</code>, and open the
          link that it prints.
        </p>
      )}
      {source === 'stranger' && (
        <p class="banner bad">
          This tab was not opened by a link of the dashboard. Open the one that{' '}
          <code>ledger-git dashboard</code> printed.
        </p>
      )}
      {source === 'lost' && (
        <p class="banner bad">The server does not answer. Trying again every two seconds.{kept}</p>
      )}
      {failure !== null && (
        <p class="banner bad">
          The repository could not be read: {plain(failure.message)}.{kept}
          {failure.next !== null && <code>{plain(failure.next)}</code>}
        </p>
      )}
    </div>
  )
}
