import type { Region } from './exempt';

/**
 * Code without a fence (INT-21): SQL statements, shell commands and program statements. Each begins
 * a line and has the form of its language, so that "Select 3 items from the list" stays a sentence.
 * A statement ends according to its syntax; figures of the sentence after it count.
 */
const LINE =
  /^[ \t]{0,40}(?:[A-Za-z]{1,12}:[ \t]{1,4}|execute\[)?([$❯➜][ \t]{1,4})?(?:sudo[ \t]{1,4})?([A-Za-z#][\w.+-]{0,23})/gm;

const NAME = '[\\w.$"`\\[\\]]{1,120}';
const ITEM = `(?:\\*|[\\w.$"\`'*]{1,80}(?:\\([^;\\n]{0,200}\\))?|\\([^;\\n]{0,200}\\))(?:[ \\t]{1,4}[-+*/|][-+*/|]?[ \\t]{1,4}[\\w.$"\`']{1,80}(?:\\([^;\\n]{0,80}\\))?){0,4}`;
const ITEMS = `${ITEM}(?:\\s{1,8}as\\s{1,8}${NAME})?`;
const AFTER_TABLE =
  '(?=\\s{0,8}(?:$|[;,)\\]])|\\s{1,8}(?:as\\s|where\\s|group\\s|order\\s|having\\s|limit\\s|(?:(?:left|right|inner|outer|cross|full)\\s{1,4}){0,2}join\\s|union\\s|\\w{1,3}\\s{1,4}(?:where|join|inner|left|on)\\s))';
const sql = (form: string, flags = 'iy'): RegExp => new RegExp(form, flags);
/**
 * Statement forms by first word. In capitals a weaker form is enough, since sentences are not
 * written in capitals.
 */
const SQL_FORMS: ReadonlyMap<string, readonly RegExp[]> = new Map([
  [
    'select',
    [
      sql('SELECT\\b[^;]{1,2000}?\\bFROM\\b', 'y'),
      sql('SELECT\\b[^;\\n]{1,400};', 'y'),
      sql(
        `select\\s{1,8}(?:distinct\\s{1,8}|all\\s{1,8}|top\\s\\d{1,6}\\s)?${ITEMS}(?:\\s{0,8},\\s{0,8}${ITEMS}){0,40}\\s{1,8}from\\s{1,8}${NAME}${AFTER_TABLE}`,
      ),
    ],
  ],
  [
    'insert',
    [
      sql(
        `insert\\s{1,8}(?:ignore\\s{1,8})?into\\s{1,8}${NAME}\\s{0,8}(?:\\(|values\\b|select\\b)`,
      ),
      sql('INSERT INTO\\b', 'y'),
    ],
  ],
  ['replace', [sql(`replace\\s{1,8}into\\s{1,8}${NAME}\\s{0,8}(?:\\(|values\\b|select\\b)`)]],
  [
    'update',
    [
      sql(
        `update\\s{1,8}${NAME}(?:\\s{1,8}(?:as\\s)?\\w{1,20})?\\s{1,8}set\\s{1,8}${NAME}\\s{0,8}=`,
      ),
    ],
  ],
  [
    'delete',
    [sql(`delete\\s{1,8}from\\s{1,8}${NAME}\\s{0,8}(?:where\\s|;)`), sql('DELETE FROM\\b', 'y')],
  ],
  [
    'create',
    [
      sql(
        'create\\s(?:or\\sreplace\\s)?(?:temporary\\s|temp\\s|unique\\s)?(?:table|view|index)\\s[^;\\n]{0,200}[(;]',
      ),
      sql('CREATE (?:TABLE|INDEX|VIEW|UNIQUE)\\b', 'y'),
    ],
  ],
  ['alter', [sql(`alter\\stable\\s${NAME}\\s(?:add|drop|alter|modify|rename|change)\\b`)]],
  ['drop', [sql(`drop\\s(?:table|view|index)\\s(?:if\\sexists\\s)?${NAME}\\s{0,4}(?:;|$)`, 'imy')]],
  ['with', [sql(`with\\s(?:recursive\\s)?${NAME}\\s{1,4}as\\s{0,4}\\(\\s{0,8}select\\b`)]],
  ['explain', [sql('explain\\s(?:analyze\\s)?(?:select|insert|update|delete)\\b')]],
  ['describe', [sql(`describe\\s${NAME}\\s{0,4}(?:;|$)`, 'imy')]],
  [
    'show',
    [
      sql(
        'show\\s(?:tables|databases|columns|indexes|index|create\\stable)\\b[^.\\n]{0,120}(?:;|$)',
        'imy',
      ),
    ],
  ],
]);

const SQL_CONTINUES =
  /^[ \t]*(?:[,()]|--|(?:SELECT|FROM|WHERE|AND|OR|ON|SET|VALUES|GROUP BY|ORDER BY|HAVING|LIMIT|OFFSET|(?:LEFT |RIGHT |INNER |OUTER |CROSS |FULL )*JOIN|UNION|INTERSECT|EXCEPT|WHEN|ELSE|END|RETURNING|WITH)\b)/;
const SQL_OPEN_END =
  /(?:[,(=<>+*/-]|\b(?:SELECT|DISTINCT|FROM|WHERE|AND|OR|ON|SET|VALUES|BY|IN|AS|UNION|ALL|THEN|ELSE|JOIN|INTO))[ \t]*\r?$/i;

const COMMANDS = new Set(
  (
    'kubectl docker podman git npm npx yarn pnpm pip pip3 curl wget ssh scp systemctl journalctl apt apt-get yum dnf brew helm terraform ' +
    'aws gcloud az psql mysql redis-cli mongosh sqlite3 grep egrep awk sed tail head cat ls chmod chown kill pkill ps du df find tar rsync ' +
    'ping nc openssl python python3 node java go cargo make cmake ansible echo export sysctl mkdir rm cp mv touch sleep crontab ip iptables ' +
    'dig nslookup traceroute netstat ss lsof strace top watch xargs sort uniq wc cut tr tee mount umount dd fdisk useradd usermod service ' +
    'gunzip gzip unzip nginx ffmpeg ulimit nice timeout seq'
  ).split(' '),
);
const FLAG = /[ \t]--?[A-Za-z][\w-]*|[ \t](?:&&|\|\|?)[ \t]+[a-z]|[ \t][12]?>{1,2}[ \t]?[&/\w]/;
/** Commands whose arguments are only numbers and a file. */
const NUMERIC =
  /^(?:chmod[ \t]+[0-7]{3,4}[ \t]+\S+|kill[ \t]+(?:-\w+[ \t]+)?\d+(?:[ \t]+\d+)*|sleep[ \t]+[\d.]+[smhd]?)[ \t]*$/;
const SENTENCE_END = /[.!?]["')]?[ \t]*\r?$/;

const VALUE = '[ \\t]*(?::[^=\\n]{1,80})?=[^=\\n][^\\n]{0,400}';
const STATEMENTS: ReadonlyMap<string, RegExp> = new Map([
  ...['const', 'let', 'var', 'int', 'float', 'double', 'long', 'auto', 'final'].map(
    (word): [string, RegExp] => [
      word,
      new RegExp(
        `^${word}[ \\t]+[\\w$<>\\[\\]]{1,60}(?:[ \\t]+[\\w$]{1,60})?${VALUE}[;{(\\[,][ \\t]*$`,
      ),
    ],
  ),
  ...['for', 'while', 'if', 'switch', 'catch'].map((word): [string, RegExp] => [
    word,
    new RegExp(`^${word}[ \\t]*\\([^\\n]{1,300}[{;][ \\t]*$`),
  ]),
  [
    'for',
    /^for[ \t]+(?:\([^\n]{1,300}[{;]|[\w, ]{1,60}[ \t]in[ \t]+[\w.]{1,60}\([^\n]{0,200}\):)[ \t]*$/,
  ],
  ['def', /^def[ \t]+\w{1,80}\([^\n]{0,300}\)[^\n]{0,80}:/],
  ['return', /^return\b[^\n]{0,400};[ \t]*$/],
  ['function', /^function[ \t]*\*?[ \t]*\w{0,80}\([^\n]{0,300}\)[ \t]*\{/],
  ['import', /^import[ \t][^\n]{1,200}(?:\bfrom[ \t]+['"]|;[ \t]*$)/],
  ['print', /^print\([^\n]{0,400}\);?[ \t]*$/],
  ['#include', /^#include[ \t]*[<"]/],
  ['#define', /^#define[ \t]+\w/],
]);
const CALL =
  /^(?:console\.\w+|System\.out\.\w+|fmt\.\w+|assert\w*|expect)\([^\n]{0,400}\)[^\n]{0,80};?[ \t]*$/;

export function addCodeLines(text: string, regions: Region[]): void {
  let end = 0;
  for (const match of text.matchAll(LINE)) {
    const word = match[2] ?? '';
    const from = match.index + match[0].length - word.length;
    if (match.index < end) continue;
    const found =
      endOfSql(text, from, word) ??
      endOfCommand(text, from, word, match[1] !== undefined) ??
      endOfStatement(text, from, word);
    if (found === null) continue;
    end = found;
    regions.push({ from, to: end });
  }
}

function endOfSql(text: string, from: number, word: string): number | null {
  const forms = SQL_FORMS.get(word.toLowerCase());
  if (forms === undefined) return null;
  for (const form of forms) {
    form.lastIndex = from;
    const match = form.exec(text);
    if (match !== null && !/\n[ \t]*\n/u.test(match[0]))
      return sqlEnd(text, from, from + match[0].length, word === word.toUpperCase());
  }
  return null;
}

/**
 * The position after the `;`, or where the next line or sentence no longer belongs to the
 * statement. `body` is a position inside it.
 */
function sqlEnd(text: string, from: number, body: number, capital: boolean): number {
  let depth = 0;
  let quote = '';
  for (let at = from; at < text.length; at++) {
    const char = text.charAt(at);
    if (quote !== '') {
      if (char === quote || char === '\n') quote = '';
      continue;
    }
    if (char === "'" || char === '"' || char === '`') quote = char;
    else if (char === '(') depth++;
    else if (char === ')') depth--;
    else if (char === ';') return at + 1;
    else if (at < body) continue;
    else if (char === '.' && depth <= 0 && /^\.(?:\s|$)/u.test(text.slice(at, at + 2))) return at;
    else if (char === '\n' && !continuesOnNextLine(text, at, depth, capital)) return at;
  }
  return text.length;
}

function continuesOnNextLine(
  text: string,
  newline: number,
  depth: number,
  capital: boolean,
): boolean {
  const next = text.slice(newline + 1, newline + 61).split('\n', 1)[0] ?? '';
  if (next.trim() === '') return false;
  if (depth > 0 || SQL_CONTINUES.test(capital ? next : next.toUpperCase())) return true;
  const line = text.slice(
    Math.max(text.lastIndexOf('\n', newline - 1) + 1, newline - 200),
    newline,
  );
  return SQL_OPEN_END.test(line);
}

function endOfCommand(text: string, from: number, word: string, prompted: boolean): number | null {
  if (prompted ? !/[a-z]/u.test(word.charAt(0)) : !COMMANDS.has(word)) return null;
  const line = lineAt(text, from);
  if (!prompted && !NUMERIC.test(line) && (!FLAG.test(line) || SENTENCE_END.test(line)))
    return null;
  let end = from + line.length;
  // A backslash continues a command on the next line.
  while (text.charAt(end - 1) === '\\' && end < text.length)
    end += 1 + lineAt(text, end + 1).length;
  return Math.min(end, text.length);
}

function endOfStatement(text: string, from: number, word: string): number | null {
  const form = STATEMENTS.get(word) ?? (text.charAt(from + word.length) === '(' ? CALL : undefined);
  if (form === undefined) return null;
  const line = lineAt(text, from);
  return form.test(line) ? from + line.length : null;
}

/** The rest of a line; of a very long one only the beginning. */
function lineAt(text: string, from: number): string {
  const newline = text.indexOf('\n', from);
  return text
    .slice(from, Math.min(newline === -1 ? text.length : newline, from + LINE_MAX))
    .replace(/\r$/u, '');
}

const LINE_MAX = 2_000;
