/**
 * Made-up secrets in the shapes that providers use, and ordinary text that resembles them. Each secret is assembled
 * here from pieces: no text in this repository has the shape of a secret, so no code host's scanner blocks a clone or
 * a fork. None of them was ever valid.
 */

const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const UPPER = LOWER.toUpperCase()
const DIGITS = '0123456789'
const HEX = `${DIGITS}abcdef`
export const WORDY = `${UPPER}${LOWER}${DIGITS}`
const BASE64 = `${WORDY}+/`
const BASE64URL = `${WORDY}-_`

/** The same characters for the same seed, on every machine. */
export function chance(length: number, alphabet = WORDY, seed = 1): string {
  let state = seed * 2_654_435_761
  let text = ''
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + i * 374_761_393 + seed) >>> 0
    text += alphabet[(state >>> 8) % alphabet.length] ?? ''
  }
  return text
}

export interface Sample {
  readonly kind: string
  /** The part that must not remain. */
  readonly secret: string
  /** The surrounding text, if the shape alone is not enough. */
  readonly text: string
}

function bare(kind: string, ...pieces: string[]): Sample {
  return { kind, secret: pieces.join(''), text: pieces.join('') }
}

function within(kind: string, before: string, secret: string, after = ''): Sample {
  return { kind, secret, text: `${before}${secret}${after}` }
}

const dashes = '-'.repeat(5)

/** An armoured private key; `label` is for example `RSA `. */
export function armour(label: string, body: string, block = ''): string {
  const name = `${label}PRIVATE KEY${block}${dashes}`
  return `${dashes}BEGIN ${name}\n${body}\n${dashes}END ${name}`
}

function lines(text: string): string {
  return (text.match(/.{1,64}/g) ?? []).join('\n')
}

const claims = (seed: number) => `eyJ${chance(40, BASE64URL, seed)}`
const keyText = (seed: number) => lines(`MI${chance(700, BASE64, seed)}`)

export const SECRETS: readonly Sample[] = [
  bare('api-key', 'ctx7s', 'k-', `${chance(8, HEX, 101)}-858b-4d67-a8ca-${chance(12, HEX, 102)}`),
  bare('aws-access-key', 'AK', 'IA', chance(16, `${UPPER}234567`, 2)),
  bare('aws-access-key', 'AS', 'IA', chance(16, `${UPPER}234567`, 3)),
  within('aws-secret-key', 'AWS_SECRET_ACCESS_KEY=', chance(40, BASE64, 4)),
  within('aws-secret-key', 'aws_secret_access_key = ', chance(40, BASE64, 5)),
  bare('github-token', 'gh', 'p_', chance(36, WORDY, 6)),
  bare('github-token', 'gh', 'o_', chance(36, WORDY, 7)),
  bare('github-token', 'gh', 'u_', chance(36, WORDY, 8)),
  bare('github-token', 'gh', 's_', chance(36, WORDY, 9)),
  bare('github-token', 'gh', 'r_', chance(36, WORDY, 10)),
  bare('github-token', 'github', '_pat_', chance(22, WORDY, 11), '_', chance(59, WORDY, 12)),
  bare('gitlab-token', 'gl', 'pat-', chance(20, WORDY, 13)),
  bare('gitlab-token', 'gl', 'dt-', chance(20, WORDY, 14)),
  bare(
    'slack-token',
    'xo',
    'xb-',
    chance(12, DIGITS, 15),
    '-',
    chance(13, DIGITS, 16),
    '-',
    chance(24),
  ),
  bare(
    'slack-token',
    'xo',
    'xp-',
    chance(11, DIGITS, 17),
    '-',
    chance(12, DIGITS, 18),
    '-',
    chance(32, HEX),
  ),
  bare(
    'slack-token',
    'xa',
    'pp-1-A',
    chance(10, UPPER, 19),
    '-',
    chance(13, DIGITS),
    '-',
    chance(64, HEX),
  ),
  within(
    'slack-webhook',
    'https://hooks.slack.com/services/',
    `T${chance(9, UPPER, 20)}/B${chance(9, UPPER, 21)}/${chance(24, WORDY, 22)}`,
  ),
  bare('stripe-key', 'sk', '_live_', chance(24, WORDY, 23)),
  bare('stripe-key', 'rk', '_test_', chance(99, WORDY, 24)),
  bare('stripe-secret', 'wh', 'sec_', chance(32, WORDY, 25)),
  bare('openai-key', 's', 'k-', chance(20, WORDY, 26), 'T3Blb', 'kFJ', chance(20, WORDY, 27)),
  bare(
    'openai-key',
    's',
    'k-proj-',
    chance(74, BASE64URL, 28),
    'T3Blb',
    'kFJ',
    chance(74, WORDY, 29),
  ),
  bare('anthropic-key', 's', 'k-ant-api03-', chance(93, BASE64URL, 30), 'AA'),
  bare('anthropic-key', 's', 'k-ant-oat01-', chance(93, BASE64URL, 31), 'AA'),
  bare('google-key', 'AI', 'za', chance(35, BASE64URL, 32)),
  bare('google-oauth', 'GOC', 'SPX-', chance(28, BASE64URL, 33)),
  within(
    'private-key',
    '{"private_key_id":"x","private_key":',
    JSON.stringify(`${armour('', keyText(34))}\n`),
    '}',
  ),
  bare('npm-token', 'np', 'm_', chance(36, WORDY, 35)),
  within(
    'named-secret',
    '//registry.npmjs.org/:_authToken=',
    `${chance(8, HEX, 36)}-${chance(24, HEX, 37)}`,
  ),
  bare('pypi-token', 'py', 'pi-AgEIcHlwaS5vcmc', chance(120, BASE64URL, 38)),
  bare('sendgrid-key', 'S', 'G.', chance(22, WORDY, 39), '.', chance(43, WORDY, 40)),
  bare('twilio-key', 'S', 'K', chance(32, HEX, 41)),
  within('named-secret', 'TWILIO_AUTH_TOKEN=', chance(32, HEX, 42)),
  bare('linear-token', 'lin', '_api_', chance(40, WORDY, 43)),
  bare('linear-token', 'lin', '_oauth_', chance(64, HEX, 44)),
  bare('notion-token', 'nt', 'n_', chance(11, DIGITS, 45), chance(35, WORDY, 46)),
  bare('notion-token', 'sec', 'ret_', chance(43, WORDY, 47)),
  within('azure-key', 'EndpointSuffix=x;AccountKey=', `${chance(86, BASE64, 48)}==`, ';x=y'),
  bare('azure-secret', chance(3, WORDY, 49), '8', 'Q~', chance(34, WORDY, 50)),
  within(
    'azure-signature',
    'https://x.blob.core.windows.net/c?sv=1&sig=',
    `${chance(43, WORDY, 51)}%3D`,
  ),
  bare('databricks-token', 'da', 'pi', chance(32, HEX, 52)),
  bare('huggingface-token', 'h', 'f_', chance(34, `${UPPER}${LOWER}`, 53)),
  bare('digitalocean-token', 'do', 'p_v1_', chance(64, HEX, 54)),
  bare(
    'jwt',
    'ey',
    'J',
    chance(33, BASE64URL, 55),
    '.',
    claims(56),
    '.',
    chance(43, BASE64URL, 57),
  ),
  bare('private-key', armour('RSA ', keyText(58))),
  bare('private-key', armour('EC ', keyText(59))),
  bare(
    'private-key',
    armour('OPENSSH ', lines(`b3BlbnNzaC1rZXktdjEAAAAA${chance(300, BASE64, 60)}`)),
  ),
  bare('private-key', armour('PGP ', `Version: 1\n\n${keyText(61)}\n=${chance(4)}`, ' BLOCK')),
  within(
    'private-key',
    `${dashes}BEGIN RSA PRIVATE KEY${dashes}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,${'0'.repeat(32)}\n\n`,
    keyText(62),
    `\n${dashes}END RSA PRIVATE KEY${dashes}`,
  ),
  within(
    'url-password',
    'postgres://app:',
    chance(12, WORDY, 63),
    '@db.internal:5432/app?sslmode=require',
  ),
  within('url-password', 'redis://:', chance(20, WORDY, 64), '@cache:6379'),
  within('url-password', 'https://x-access-token:', chance(30, WORDY, 65), '@github.com/a/b.git'),
  within('bearer-token', 'Authorization: Bearer ', chance(40, BASE64URL, 66)),
  within('bearer-token', 'curl -H "Authorization: token ', chance(40, HEX, 67), '" https://x'),
  within('basic-auth', 'Authorization: Basic ', btoa(`ada:${chance(12)}`)),
  within('password', 'password=', `Tr0ub4dor&${chance(3)}`),
  within('password', 'password: "', chance(12, WORDY, 68), '"'),
  within('password', '{"db":{"password":"', chance(12, WORDY, 69), '"}}'),
  within('password', 'mysql --password ', chance(12, WORDY, 70), ' -u ada'),
  within('password', 'le mot de passe : `', chance(12, WORDY, 72), '`'),
  within('password', '密码：', chance(12, WORDY, 73)),
  within('password', '**Passwort:** `', chance(12, WORDY, 74), '`'),
  within('password', 'export DB_PASS=', chance(10, WORDY, 71)),
  within('password', 'Log in as `admin`, contraseña `', `${chance(5, LOWER, 78)}7`, '`.'),
  within('password', 'the default password is **', `${chance(4, LOWER, 79)}!x3`, '**'),
  within('password', 'The password has been updated to `', `${chance(6, LOWER, 111)}42`, '`.'),
  within('password', 'Mot de passe : « ', `${chance(6, LOWER, 97)}42`, ' »'),
  within('named-secret', 'client_secret: ', chance(40, WORDY, 72)),
  within('named-secret', 'x-api-key: ', chance(32, HEX, 73)),
  within('named-secret', '?api_key=', chance(32, WORDY, 74), '&page=2'),
  within('named-secret', 'LINEAR_API_KEY_PROD="', chance(32, WORDY, 75), '"'),
  within(
    'named-secret',
    'apiKey => ',
    `${chance(8, HEX, 76)}-${chance(4, HEX)}-4${chance(3, HEX)}-a${chance(3, HEX)}-${chance(12, HEX, 77)}`,
  ),
]

const sha = (length: number, seed: number) => chance(length, HEX, seed)
const uuid = `${sha(8, 80)}-${sha(4, 81)}-4${sha(3, 82)}-a${sha(3, 83)}-${sha(12, 84)}`

/** Texts without a secret: each must come out unchanged. */
export const ORDINARY: readonly string[] = [
  `commit ${sha(40, 85)}`,
  `index ${sha(7, 86)}..${sha(7, 87)} 100644`,
  `events_tree: ${sha(64, 88)}`,
  `session: ${uuid}`,
  `"uuid":"${uuid}","requestId":"req_${chance(24)}","id":"toolu_${chance(24)}"`,
  `sha256:${sha(64, 89)}  ledger.tgz`,
  `"integrity": "sha512-${chance(86, BASE64, 90)}=="`,
  `![](data:image/png;base64,iVBORw0KGgo${chance(400, BASE64, 91)}=)`,
  `{"type":"image","source":{"type":"base64","data":"${chance(4000, BASE64, 92)}"}}`,
  `"signature":"${chance(300, BASE64, 93)}=="`,
  'aVeryLongCamelCaseNameThatSomebodyThoughtWouldBeReadable2026',
  'AbstractSingletonProxyFactoryBeanTokenProviderConfigurationSource',
  'thoughts/shared/handoffs/events/2026-01-10T13-03-52.417Z_toast_9f2c41ab.md',
  '/Users/ada/Library/Application Support/token-store/secret_keys/index.ts',
  'src/core/secrets/secret-shapes.ts:120: const token = nextToken(source)',
  '---\nts: 2026-01-10T13:03:52.417Z\nagent: toast\nbranch: feat/fix-hooks-path-spaces\n---\n\nnow: Create PR\n',
  'decisions:\n  auth_token: "use JWT, keep it in a cookie"\n  password: argon2id with 64 MB\n',
  'Which secret: the one of the rig, or that of the repository?',
  'goal: rotate the api key; the token expired 2026-01-10T13:03:52Z',
  'sk-...',
  'task-550e8400-e29b-41d4-a716-446655440000 is done',
  'sk-ant-...',
  `gh${'p_'}xxxxxxxx`,
  `gh${'p_'}${'x'.repeat(36)}`,
  `AK${'IA'}IOSFODNN7EXAMPLE`,
  `AK${'IA'}${'X'.repeat(16)}`,
  'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  '`sk-`, `ghp_`, `github_pat_`, `AKIA`, PRIVATE KEY',
  `https://hooks.slack.com/services/T${'0'.repeat(8)}/B${'0'.repeat(8)}/${'X'.repeat(24)}`,
  'gldt-task-management-for-agents',
  'set xoxb-your-bot-token and xapp-1-A first',
  'api_key: <your-key>',
  'api_key=YOUR_API_KEY_GOES_HERE_123',
  'OPENAI_API_KEY=$API_KEY',
  'OPENAI_API_KEY=${OPENAI_API_KEY:-none}',
  'token: ${{ secrets.GITHUB_TOKEN }}',
  'const token = process.env.GITHUB_TOKEN_2026',
  "password: os.environ['DB_PASSWORD_1']",
  'const password = getPassword(user1, 42)',
  'const readonlyToken = type2.declaration.readonlyToken',
  'password: config.database.password2',
  'Authorization: Bearer <token>',
  'Authorization: Bearer $TOKEN',
  'the bearer token of the session-start-hook is passed on',
  'postgres://user:password@localhost:5432/db',
  'postgres://postgres:postgres@localhost/db',
  'postgres://ledger_app2:ledger_app2@localhost/db',
  'postgres://$USER:$PASSWORD@host/db',
  'redis://:****@cache:6379',
  'https://registry.npmjs.org/@scope/name',
  'git@github.com:ada/ledger.git',
  'mailto:ada@example.com http://localhost:8080/@vite/client',
  `//registry.npmjs.org/:_authToken=\${NPM_TOKEN}`,
  '"input_tokens":139294,"max_tokens":4096,"tokenizer":"cl100k_base"',
  `next_page_token=${chance(40, WORDY, 94)}`,
  `${dashes}BEGIN RSA PRIVATE KEY${dashes} is how such a file begins`,
  `${dashes}BEGIN PUBLIC KEY${dashes}\n${keyText(95)}\n${dashes}END PUBLIC KEY${dashes}`,
  armour('', '...'),
  armour('', 'here goes the key of the server'),
  `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${chance(43, BASE64, 96)} ada@host`,
  'task-management-for-parallel-agents-2026-01',
  'sk-fading-circle-spinner-animation-delay-2',
  'secret_keys_are_never_written_to_a_ref_by_this_tool',
  'the password `string`, a password `field`, and the password "reset" flow',
  'renamed the password `DB_PASSWORD`, `DB_PW_2`; reads the password `$PGPASS1`, `process.env.PW1`, `config.pw2`',
  'hashes the password `argon2id`, `sha256`; password `v2.1.0`, `<input1>`, `field12`, `#pw-2`',
  'moved the password `src/auth/login2.ts`, password \'ada2@mail.org\', password `min=8`, password "********"',
  'the password *is* `required!`, the passwords `abc123`, `wpa_passphrase "ADA-B410"`',
  '[redacted: github-token]',
  'password=[redacted: password]',
  '// secretlint-disable',
  '\\\\server\\share\\new\\token',
  '"unbalanced \\" quotes and a \\',
]
