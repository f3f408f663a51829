import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** A text of code, and patterns to search for in it (performance.md 4.5, S2). */
export interface CodeCorpus {
  readonly name: string;
  readonly text: string;
  /** Cut from the text and changed by 5 to 15 % of their length, so that none occurs verbatim. */
  readonly edited: readonly string[];
  /** Cut from the text. */
  readonly verbatim: readonly string[];
}

const CHARS = 200_000;
const PATTERNS = 30;
const LENGTH = { min: 31, max: 240 };
const root = resolve(import.meta.dirname, '../..');

/**
 * Generated code, code of a large package, and this repository's own. The same for the same seed
 * and release.
 */
export function codeCorpora(seed: number): readonly CodeCorpus[] {
  const random = generator(seed);
  const texts: readonly (readonly [string, string])[] = [
    ['made code', madeCode(random)],
    [
      'the compiler of TypeScript',
      readFileSync(join(root, 'node_modules/typescript/lib/typescript.js'), 'utf8').slice(
        2_000_000,
        2_000_000 + CHARS,
      ),
    ],
    ['this repository', ownCode()],
  ];
  return texts.map(([name, text]) => ({ name, text, ...patternsOf(text, random) }));
}

function patternsOf(text: string, random: () => number): Pick<CodeCorpus, 'edited' | 'verbatim'> {
  const edited: string[] = [];
  const verbatim: string[] = [];
  while (edited.length < PATTERNS) {
    const length = LENGTH.min + Math.floor(random() * (LENGTH.max - LENGTH.min + 1));
    const at = Math.floor(random() * (text.length - length));
    const cut = text.slice(at, at + length);
    const changed = edit(cut, Math.max(1, Math.floor(length * (0.05 + random() * 0.1))), random);
    if (text.includes(changed) || changed.length < LENGTH.min) continue;
    edited.push(changed);
    verbatim.push(cut);
  }
  return { edited, verbatim };
}

function edit(text: string, times: number, random: () => number): string {
  const letters = text.split('');
  for (let i = 0; i < times; i++) {
    const at = Math.floor(random() * letters.length);
    const letter = String.fromCharCode(97 + Math.floor(random() * 26));
    const editKind = Math.floor(random() * 3);
    letters.splice(at, editKind === 0 ? 0 : 1, ...(editKind === 1 ? [] : [letter]));
  }
  return letters.join('');
}

function madeCode(random: () => number): string {
  const words =
    'task user order item list index value count total name path file route query token event session cache'.split(
      ' ',
    );
  const pick = (): string => words[Math.floor(random() * words.length)] ?? 'value';
  const capital = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
  const parts: string[] = [];
  let length = 0;
  while (length < CHARS) {
    const [a, b, c] = [pick(), pick(), pick()];
    const name = `${a}${capital(b)}${capital(c)}${Math.floor(random() * 1000)}`;
    const part = [
      `export async function ${name}(${a}: ${capital(a)}, ${b}: ${capital(b)}): Promise<${capital(c)}> {`,
      `  const ${c} = await find${capital(c)}(${a}.id, { limit: ${Math.floor(random() * 100)}, order: '${b}' });`,
      `  if (${c} === null) throw new Error(\`no ${c} of ${a} \${${a}.id}\`);`,
      `  return ${c}.map((each) => ({ ...each, ${b}: ${b}.${pick()} + ${Math.floor(random() * 10_000)} }));`,
      '}',
      '',
    ].join('\n');
    parts.push(part);
    length += part.length;
  }
  return parts.join('\n').slice(0, CHARS);
}

function ownCode(): string {
  const folder = join(root, 'server');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .sort();
  let text = '';
  for (const path of files)
    if (text.length < CHARS) text += readFileSync(join(folder, path), 'utf8');
  return text.slice(0, CHARS);
}

/** mulberry32: small, and identical on every machine. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
