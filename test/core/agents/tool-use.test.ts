/** Files that a shell command writes from its own text. */

import { expect, test } from 'vitest'
import { toolUse } from '../../../src/core/agents/tool-use.ts'

const files = (command: string) =>
  toolUse('Bash', { files: [], command, mayWrite: true, todos: undefined }).files

test.each([
  ["cat > notes.md <<'EOF'\n# a > b.md\nEOF", ['notes.md']],
  ['cat <<EOF >docs/a.md\nx\nEOF\ncat >> b.md << EOF\ny\nEOF', ['docs/a.md', 'b.md']],
  ['mkdir -p docs && cat <<-EOF > "docs/a.md"\n\tx\n\tEOF', ['docs/a.md']],
  ['cd docs && cat > /srv/a.md <<EOF\nx\nEOF', ['/srv/a.md']],
  ['cd /srv/app && cat > docs/a.md <<EOF\nx\nEOF', ['/srv/app/docs/a.md']],
  ["sudo tee -a /etc/hosts > /dev/null <<'EOF'\nx\nEOF", ['/etc/hosts']],
  ['echo "a line" >> docs/a.md', ['docs/a.md']],
  ["printf '%s' x | tee docs/a.md docs/b.md", ['docs/a.md', 'docs/b.md']],
  ['cat <<EOF | sudo tee /etc/hosts\nx\nEOF', ['/etc/hosts']],
  // The written file is unknown, or none is written.
  ['cd docs && cat > a.md <<EOF\nx\nEOF', []],
  ['cat > "$OUT/a.md" <<EOF\nx\nEOF', []],
  ['cat > /dev/null <<EOF\nx\nEOF', []],
  ['echo -e "x" > /dev/ttyS0', []],
  ['cat <<EOF\n> a.md\nEOF', []],
  ['cat <<EOF | sh > a.md\nx\nEOF', []],
  ['cat a.md > b.md', []],
  ['npm test | tee test.log', []],
  ['echo "a" >&2', []],
  ['echo "a" > ~/notes.md', []],
  ['test -f a.md || echo "a" > a.md', []],
  ['(cd /srv && ls) && cat > a.md <<EOF\nx\nEOF', []],
  ["python - <<'EOF' > a.md\nx\nEOF", []],
])('%j', (command, written) => {
  expect(files(command)).toEqual(written)
})
