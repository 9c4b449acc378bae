/** What a session changed outside its worktree. */

import { expect, test } from 'vitest'
import { changedOutside } from '../../../src/core/turn/outside.ts'
import { call, entriesOf } from '../report/endings.ts'

const changed = (calls: string[][], tops = ['/home/ada/api']) =>
  changedOutside({ untold: entriesOf(...calls), tops })
const write = (file_path: string) => call('Write', { file_path }, { content: 'created' })
const run = (command: string) => call('Bash', { command }, { content: '' })

test.each<[string[], string[]]>([
  [['/home/ada/api/a.ts', '/home/ada/api2/src/a.ts'], ['src/a.ts']],
  [['/home/ada/.claude/CLAUDE.md'], ['~/.claude/CLAUDE.md']],
  // Another user's home.
  [['/home/bob/.config/x/a.yml'], ['x/a.yml']],
  [
    ['/etc/nginx/nginx.conf', '/root/.bashrc'],
    ['/etc/nginx/nginx.conf', '/root/.bashrc'],
  ],
  [['/tmp/a.sh', '/var/tmp/a.sh', '/home/ada/.claude/projects/x/MEMORY.md'], []],
])('reports written files outside the worktree: %j', (files, told) => {
  expect(changed(files.map(write))).toEqual(told)
})

test.each<[string, string[]]>([
  [
    'git config --global user.name "Ada" && git config --global user.name',
    ['git config --global user.name'],
  ],
  ['git config set --global user.name Ada', ['git config --global user.name']],
  ['git config --system --unset core.pager', ['git config --system core.pager']],
  ['git config user.name Ada', []],
  ['git config --global user.name', []],
  ['git config --global --get user.name', []],
  ['git config --global url.https://ada:key@example.org/.insteadOf x', []],
  ['(crontab -l; echo "0 * * * * /usr/bin/true") | crontab -', ['crontab']],
  ['crontab -l', []],
  ['sudo systemctl daemon-reload && sudo systemctl enable --now api', ['systemctl enable api']],
  ['systemctl --user disable api.service', ['systemctl --user disable api.service']],
  ['systemctl restart api', []],
  ["sudo sed -i 's|3001|3002|' /etc/apache2/a.conf", ['/etc/apache2/a.conf']],
  ["sed 's|3001|3002|' /etc/apache2/a.conf", []],
  ['sudo -A cp a.conf /etc/a.conf', ['/etc/a.conf']],
  ['cp /etc/a.conf .', []],
  ['cp -r rules ~/.claude/rules/', ['~/.claude/rules/']],
  ["cat > ~/.claude/agents/a.md <<'EOF'\nx\nEOF", ['~/.claude/agents/a.md']],
  ['echo "https://ada:key@example.org" > ~/.git-credentials', ['~/.git-credentials']],
  ['cp a.ts ~/api/b.ts', []],
  // Whether the command succeeded, or what it names, is unknown.
  ['sudo cp a.conf /etc/a.conf; ls', []],
  ['sudo cp a.conf /etc/a.conf || true', []],
  ['sudo cp a.conf "/etc/$NAME.conf"', []],
  ['ssh host "crontab -r"', []],
])('reports what a command changes outside the worktree: %s', (command, told) => {
  expect(changed([run(command)])).toEqual(told)
})

test('ignores commands that failed or are still running', () => {
  const command = 'sudo cp a.conf /etc/a.conf'
  const failed = call('Bash', { command }, { content: 'Exit code 1', is_error: true })
  expect(changed([failed, call('Bash', { command })])).toEqual([])
})

test('reports nothing from a home directory that is the repository itself', () => {
  const files = [write('/home/ada/.bashrc'), run('cp a ~/.profile')]
  expect(changed(files, ['/home/ada'])).toEqual([])
})
