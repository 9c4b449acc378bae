/** The keys, and what the words of the page mean. */

import type { JSX, RefObject } from 'preact'

const KEYS: readonly (readonly [keys: string, what: string])[] = [
  ['j  k  ↓  ↑', 'next and previous row'],
  ['c', 'copy the first command of the row'],
  ['Enter', 'open the row'],
  ['/', 'filter: words, agent:name, branch:name'],
  ['1 … 7', 'go to a part of the page'],
  ['[  ]', 'one event back and forward in time'],
  ['Esc', 'back to now; clear the filter'],
  ['?', 'this list'],
]

const WORDS: readonly (readonly [word: string, what: string])[] = [
  ['fresh, stale', 'current.md does, or does not, match the events next to it'],
  ['pending', 'an event that no commit holds yet'],
  ['L0 … L3', 'how full the context of an agent is; from L1 on it should hand over'],
  ['decided apart', 'two branches decided without knowing of each other'],
  ['–, unknown', 'no hook or record says so; nothing is guessed'],
]

export function Help({ dialog }: { dialog: RefObject<HTMLDialogElement | null> }): JSX.Element {
  return (
    <dialog ref={dialog} class="help-dialog" aria-labelledby="help-title">
      <h2 id="help-title">Keys</h2>
      <dl>
        {KEYS.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              {keys.split('  ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <h2>Words</h2>
      <dl>
        {WORDS.map(([word, what]) => (
          <div key={word}>
            <dt>{word}</dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <p class="faint">This page changes nothing: it shows commands to copy.</p>
      <form method="dialog">
        <button type="submit" class="command">
          Close
        </button>
      </form>
    </dialog>
  )
}
