/**
 * Texts of the audited set, with each figure marked in place:
 *
 *   {18.4 °C=mon.high_c}                          right: equals the formula to the digits shown
 *   {100~mon.visits}                              right, after "about", "nearly" …: near the value
 *   {14.9 °C!date tue.high_c <- wed.high_c}       wrong, with its kind: the true and the shown value
 *   {14.9 °C!invented ; no gusts in the source}   wrong, with the reason
 *
 * Texts are separated by an empty line. Their lines are joined, except list items, headings and
 * table rows. A line that contains only `/` starts a paragraph.
 */
const kinds = [
  'place',
  'date',
  'unit',
  'quantity',
  'sign',
  'rounding',
  'extreme',
  'derived',
  'hedge',
  'digits',
  'invented',
] as const;
export type Kind = (typeof kinds)[number];

export interface Mark {
  readonly text: string;
  /** In UTF-16 units of the plain text, end exclusive. */
  readonly start: number;
  readonly end: number;
  /** Null if the figure is right. */
  readonly wrong: Kind | null;
  /** Formula of the true value; null if the source has none. */
  readonly formula: string | null;
  /** Formula of the value that is shown instead. */
  readonly shown: string | null;
  readonly hedged: boolean;
  readonly why: string;
}

export interface AnnotatedText {
  readonly text: string;
  readonly marks: readonly Mark[];
}

const MARK = /\{([^{}=~!]+)([=~!])([^{}]*)\}/g;

export function readTexts(block: string): readonly AnnotatedText[] {
  return block
    .trim()
    .split(/\n[ \t]*\n/)
    .map((lines) => readText(joinLines(lines)));
}

function joinLines(lines: string): string {
  return lines
    .split('\n')
    .map((line) => line.trim())
    .reduce((text, line) => {
      if (line === '/') return `${text}\n\n`;
      if (text === '' || text.endsWith('\n')) return text + line;
      return /^(?:[-*] |#+ |\||\d+\. )/.test(line) || /(?:^|\n)(?:#+ |\|)[^\n]*$/.test(text)
        ? `${text}\n${line}`
        : `${text} ${line}`;
    }, '');
}

function readText(raw: string): AnnotatedText {
  let text = '';
  let from = 0;
  const marks: Mark[] = [];
  for (const match of raw.matchAll(MARK)) {
    const [all, figure = '', sign = '', rest = ''] = match;
    text += raw.slice(from, match.index);
    marks.push({
      text: figure,
      start: text.length,
      end: text.length + figure.length,
      ...readVerdict(sign, rest),
    });
    text += figure;
    from = match.index + all.length;
  }
  text += raw.slice(from);
  if (/[{}]/.test(text)) throw new Error(`a mark cannot be read in: ${text}`);
  return { text, marks };
}

function readVerdict(sign: string, verdictText: string): Omit<Mark, 'text' | 'start' | 'end'> {
  if (sign !== '!')
    return {
      wrong: null,
      formula: verdictText.trim(),
      shown: null,
      hedged: sign === '~',
      why: verdictText.trim(),
    };
  const [, name, body = '', note] = /^(\w+) ?([^;]*)(?:;(.*))?$/.exec(verdictText) ?? [];
  const wrong = kinds.find((kind) => kind === name);
  if (wrong === undefined) throw new Error(`no kind of fault in: ${verdictText}`);
  const [formula = '', shown = ''] = body.split('<-').map((part) => part.trim());
  const clauses = [
    note?.trim() ?? '',
    formula === '' ? '' : `true: ${formula}`,
    shown === '' ? '' : `shown: ${shown}`,
  ];
  return {
    wrong,
    formula: formula === '' ? null : formula,
    shown: shown === '' ? null : shown,
    hedged: false,
    why: clauses.filter((clause) => clause !== '').join('; '),
  };
}
