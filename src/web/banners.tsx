/** What is wrong or unusual about the whole page. */

import type { JSX } from 'preact'
import type { Fleet } from '../core/fleet/fleet.ts'
import { fullTime } from './full-time.ts'
import type { Source } from './header.tsx'
import type { Failure } from './server-api.ts'
import { usePage } from './parts.tsx'
import { plain } from './plain.ts'

interface BannersInput {
  readonly source: Source
  readonly failure: Failure | null
  readonly isEmpty: boolean
  readonly at: string | null
  readonly past: Fleet | Failure | null
  goBack(): void
}

export function Banners(props: BannersInput): JSX.Element {
  const { source, failure, isEmpty, at, past, goBack } = props
  const { typed } = usePage()
  const kept = isEmpty ? '' : ' The last known state is still shown.'
  return (
    <div class="banners" role="status">
      {source === 'expired' && (
        <p class="banner bad">
          This link belongs to a server that has ended. Run{' '}
          <code>{typed('git ledger dashboard')}</code>, and open the link that it prints.
        </p>
      )}
      {source === 'stranger' && (
        <p class="banner bad">
          This tab was not opened from a dashboard link. Open the link that the command printed.
        </p>
      )}
      {source === 'lost' && (
        <p class="banner bad">The server does not answer. Trying again every second.{kept}</p>
      )}
      {failure !== null && (
        <p class="banner bad">
          The repository could not be read: {plain(failure.message)}.{kept}
          {failure.next !== null && <code>{plain(typed(failure.next))}</code>}
        </p>
      )}
      {at !== null && <PastBanner at={at} past={past} goBack={goBack} />}
    </div>
  )
}

function PastBanner({
  at,
  past,
  goBack,
}: Pick<BannersInput, 'past' | 'goBack'> & { at: string }): JSX.Element {
  const back = (
    <button type="button" onClick={goBack}>
      Back to now
    </button>
  )
  if (past === null)
    return (
      <p class="banner past">
        Reading the fleet as of {at} … {back}
      </p>
    )
  if ('message' in past) {
    return (
      <p class="banner bad">
        The fleet as of {at} cannot be shown: {plain(past.message)}. {back}
      </p>
    )
  }
  return (
    <p class="banner past">
      The fleet as of {past.at === null ? at : fullTime(past.at)}
      {past.at !== null && past.at !== at && ` (${at})`}, from the events alone. {back}
    </p>
  )
}
