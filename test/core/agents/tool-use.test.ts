/** Files that a shell command writes out of its own text. */

import { expect, test } from 'vitest'
import { toolUse } from '../../../src/core/agents/tool-use.ts'

const files = (command: string) =>
  toolUse('Bash', { files: [], command, mayWrite: true, todos: undefined }).files

test.each([
  ["cat > notes.md <<'EOF'\n# a > b.md\nEOF", ['notes.md']],
  ['cat <<EOF >docs/a.md\nx\nEOF\ncat >> b.md << EOF\ny\nEOF', ['docs/a.md', 'b.md']],
  ['mkdir -p docs && cat <<-EOF > "docs/a.md"\n\tx\n\tEOF', ['docs/a.md']],
  ['cd docs && cat > /srv/a.md <<EOF\nx\nEOF', ['/srv/a.md']],
  // Which file is not known, or none is written.
  ['cd docs && cat > a.md <<EOF\nx\nEOF', []],
  ['cat > "$OUT/a.md" <<EOF\nx\nEOF', []],
  ['cat > /dev/null <<EOF\nx\nEOF', []],
  ['cat <<EOF\n> a.md\nEOF', []],
  ['cat <<EOF | sh > a.md\nx\nEOF', []],
  ['cat a.md > b.md', []],
  ["python - <<'EOF' > a.md\nx\nEOF", []],
])('%j', (command, written) => {
  expect(files(command)).toEqual(written)
})
