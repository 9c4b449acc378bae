/** Messages for people whose hand-kept `current.md` is replaced by the rendering. */

export function replacedByHand(path: string, oid: string): string {
  return (
    `ledger-git: ${path} was kept by hand and is now the rendering of events/; ` +
    `the old text is kept: git show ${oid}\n${intoTheLedger(oid)}`
  )
}

export function intoTheLedger(oid: string): string {
  return `  into the ledger: git show ${oid} >old.md && ledger-git migrate old.md`
}
