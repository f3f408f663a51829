import type { FileMention } from './mentions';

/**
 * The effect of the words before a file. `take` and `drop` decide; `in` marks a location, unless a
 * stronger word dropped the file ("using the helpers in helpers.js"); `for` drops a file that
 * something else is made for; `forbid` is final within its sentence.
 */
type Cue = 'take' | 'drop' | 'in' | 'for' | 'forbid';

const cueLists: Readonly<Record<Cue, string>> = {
  forbid: 'not never without nicht ohne sans no',
  take:
    'create creates creating write writing generate generates building build implement implementing scaffold make add adding called named save ' +
    'put output produce new only update edit modify erstelle erstellen schreibe baue implementiere namens crea genera escribe place placed ' +
    'lives live exports crée créer écris génère nommé llamado llamada',
  drop:
    'from read reads reading parse parses parsing import imports importing load loads loading use uses using existing like based similar ' +
    'following delete remove rename renames touch changing convert converts converting open opens call calls consume consumes need needs than ' +
    'run runs execute see look fetch fetches download downloads given old via covers aus liest lies lädt nutzt benutzt depuis lit desde lee ' +
    'usa require requires include includes link links processes filters transforms watch watches stays',
  for: 'for of by für von pour para',
  in: 'in into inside at as file files dans en datei dateien fichier fichiers archivo archivos',
};
const cues: ReadonlyMap<string, Cue> = new Map(
  Object.entries(cueLists).flatMap(([cue, words]) =>
    words.split(' ').map((word): [string, Cue] => [word, cue as Cue]),
  ),
);
const determiners: ReadonlySet<string> = new Set(
  'the our my its their this that these those existing same what all'.split(' '),
);
const signs: readonly (readonly [string, Cue])[] = [
  ['创建', 'take'],
  ['编写', 'take'],
  ['生成', 'take'],
  ['写', 'take'],
  ['放在', 'in'],
  ['读取', 'drop'],
  ['使用', 'drop'],
];

/** Files for building, packaging or running a project: deliverables if a request demands them. */
const projectFile =
  /(?:^|\/)(?:package\.json|tsconfig(?:\.[\w-]{1,20})?\.json|(?:docker-)?compose\.ya?ml|pyproject\.toml|setup\.(?:py|cfg)|go\.mod|Cargo\.toml|requirements[\w-]{0,20}\.txt|pom\.xml|build\.gradle(?:\.kts)?|Dockerfile|Makefile|Procfile)$|\.github\/workflows\/[\w.-]{1,60}$/i;
const demandable = /\.ya?ml$/i;
/**
 * "It needs a package.json", "also include a go.mod": for other files, these words name a
 * dependency.
 */
const demands =
  /\b(?:needs?|requires?|includes?|including|has|have|having|ships?|comes?)\s(?:[\w-]{1,20},?\s){0,4}[`"'*]{0,3}$/i;

/**
 * "a FastAPI app, not Flask, in app.py": a negated phrase between commas does not apply to the file
 * after it.
 */
const aside = /,\s{1,4}(?:not|nicht|non|pas|no)\s[^,.;:!?\n]{1,40},\s{1,4}/gi;

/** Maximum characters read before a file. */
const BEFORE_CHARS = 80;
const FILES_MAX = 50;

/**
 * The deliverable files of a request, in the order of their first mention, without forbidden ones.
 */
export function chooseDeliverables(request: string, mentions: readonly FileMention[]): string[] {
  const planned = new Set<string>();
  const forbidden = new Set<string>();
  let previous: Judged | null = null;
  for (const mention of mentions) {
    const judgement = judge(request, mention, previous);
    if (judgement === 'forbidden') forbidden.add(mention.path);
    if (judgement === 'demanded' && planned.size < FILES_MAX) planned.add(mention.path);
    previous = { end: mention.end, judgement };
  }
  return [...planned].filter((path) => !forbidden.has(path));
}

type Judgement = 'demanded' | 'mentioned' | 'forbidden';
interface Judged {
  readonly end: number;
  readonly judgement: Judgement;
}

/**
 * Decides by the words before a file; without any, like the previous file in the same sentence;
 * otherwise code is a deliverable, and data is not.
 */
function judge(request: string, mention: FileMention, previous: Judged | null): Judgement {
  if (isHeading(request, mention)) return 'demanded';
  const from = Math.max(previous?.end ?? 0, mention.at - BEFORE_CHARS);
  const begin = beginOfSentence(request, from, mention.at);
  const sentence = request.slice(begin, mention.at).replaceAll(aside, ', ');
  const last = strongest(sentence);
  if (last === 'forbid') return 'forbidden';
  const ofProject = projectFile.test(mention.path);
  if ((ofProject || demandable.test(mention.path)) && demands.test(sentence)) return 'demanded';
  if (last === 'drop' || last === 'for') return 'mentioned';
  if (last === 'take') return 'demanded';
  if (last === 'in')
    return mention.code && !isTested(request.slice(begin, mention.at), mention.path)
      ? 'demanded'
      : 'mentioned';
  const joined = previous !== null && previous.end === begin;
  if (joined) return previous.judgement;
  return mention.code || ofProject ? 'demanded' : 'mentioned';
}

/**
 * The file under test already exists, unless the named file is a test file: "tests for the parser
 * in parser.py".
 */
function isTested(sentence: string, path: string): boolean {
  return /\btests?\b[^]{0,40}\b(?:for|of)\b/i.test(sentence) && !/test|spec/i.test(path);
}

/**
 * The start of the sentence at a position: after a full stop, or after an empty line without a
 * colon before it; a list's `1.` is not a stop.
 */
function beginOfSentence(request: string, from: number, at: number): number {
  for (let i = at - 1; i >= from; i--) {
    const code = request.charCodeAt(i);
    if (code === 0x3002) return i + 1;
    const blank = request.charCodeAt(i + 1) === 32 || request.charCodeAt(i + 1) === 10;
    if ((code === 33 || code === 63 || code === 46) && blank && !isDigit(request.charCodeAt(i - 1)))
      return i + 1;
    if (code === 10 && request.charCodeAt(i - 1) === 10 && request.charCodeAt(i - 2) !== 58)
      return i + 1;
  }
  return from;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** The cue that applies after all words of a sentence are read. */
function strongest(sentence: string): Cue | null {
  let state: Cue | null = null;
  let forbidding = false;
  const words = sentence.toLowerCase().match(/[\wà-ÿ'’]+|[一-鿿]+/g) ?? [];
  for (const [i, word] of words.entries()) {
    const cue = cueOf(word, words[i + 1]);
    if (cue === null || (cue === 'in' && (state === 'drop' || state === 'take'))) continue;
    forbidding ||= cue === 'forbid';
    // "Do not export anything from a.ts" does not forbid a file, "do not create a.ts" does.
    if (!forbidding) state = cue;
    else if (cue === 'take') state = 'forbid';
    else if (cue !== 'in') state = 'drop';
  }
  return state;
}

function cueOf(word: string, next: string | undefined): Cue | null {
  if (word.charCodeAt(0) >= 0x4e00) return signs.find(([sign]) => word.includes(sign))?.[1] ?? null;
  if (/n['’]t$/.test(word)) return 'forbid';
  if (word === 'following' && /^(?:file|function|class|script|module)/.test(next ?? ''))
    return null;
  // "Using the helpers in a.ts" refers to an existing file, "using express in a.ts" does not.
  if (/^us(?:e|es|ing)$/.test(word) && !determiners.has(next ?? '')) return null;
  return cues.get(word) ?? null;
}

/**
 * Whether a file is alone in a comment or heading line, which names the file in the lines below.
 */
function isHeading(request: string, { at, end }: FileMention): boolean {
  return (
    /(?:^|\n)\s{0,8}(?:#{1,6}|\/\/|\/\*|--|<!--)\s{0,4}[`*"]{0,3}(?:\.\/)?$/.test(
      request.slice(Math.max(0, at - 24), at),
    ) && /^[`*"]{0,3}:?\s{0,4}(?:\*\/|-->)?\s{0,4}(?:\n|$)/.test(request.slice(end, end + 16))
  );
}
