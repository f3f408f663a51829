import { invalid } from '../../platform';
import type { ImportMapping } from './mapping';
import { scalarText } from './row';

const passWords = [
  'pass',
  'passed',
  'true',
  'yes',
  '1',
  'correct',
  'good',
  'ok',
  'success',
  'accept',
  'accepted',
  'consistent',
  'no_error',
];
const failWords = [
  'fail',
  'failed',
  'false',
  'no',
  '0',
  'incorrect',
  'bad',
  'failure',
  'reject',
  'rejected',
  'inconsistent',
  'error',
];

/** Pass, fail or neither; `text` is then the original value. */
interface Ruling {
  readonly verdict: 'pass' | 'fail' | null;
  readonly text: string;
}

export type RulingWords = Pick<ImportMapping, 'pass_values' | 'fail_values'>;

/**
 * A judge's verdict or a person's label, from JSON text. A list contains the faults found: an empty
 * one passes. @throws AssayError invalid_request
 */
export function readRuling(raw: string, words: RulingWords, field: string): Ruling {
  if (raw.startsWith('['))
    return { verdict: /^\[\s*\]$/.test(raw) ? 'pass' : 'fail', text: 'faults' };
  const text = scalarText(raw, field) ?? '';
  const word = text.trim().toLowerCase();
  const among = (list: readonly string[]): boolean =>
    list.some((each) => each.toLowerCase() === word);
  if (among(words.pass_values ?? passWords)) return { verdict: 'pass', text };
  return { verdict: among(words.fail_values ?? failWords) ? 'fail' : null, text };
}

/**
 * A judge's measurement; without verdict and value it could not be read (`unscored`, never a fail).
 */
export interface ImportedScore {
  readonly model: string;
  readonly scale: 'pass_fail' | 'category' | 'grade';
  readonly dimension: string | null;
  readonly presentation: string | null;
  readonly value: number | null;
  readonly label: 'pass' | 'fail' | null;
  readonly category: string | null;
  /** The original value could not be read; `label` or `category` is its substitute. */
  readonly unread: boolean;
  /** The unread value, else the judge's reason. */
  readonly explanation: string | null;
}

interface RawScore {
  readonly judge: string;
  /** JSON text of each, or null. */
  readonly verdict: string | null;
  readonly score: string | null;
}

/** Null if the row has no judgement. @throws AssayError invalid_request */
export function readScore(raw: RawScore, mapping: ImportMapping): ImportedScore | null {
  const ruling = raw.verdict === null ? null : readRuling(raw.verdict, mapping, 'judge_verdict');
  const scoreText = scalarText(raw.score, 'judge_score');
  if (ruling === null && scoreText === null) return null;
  const value = scoreText === null || scoreText.trim() === '' ? Number.NaN : Number(scoreText);
  const unread = [
    ...(ruling !== null && ruling.verdict === null
      ? [`verdict ${JSON.stringify(ruling.text.slice(0, 500))}`]
      : []),
    ...(scoreText !== null && !Number.isFinite(value)
      ? [`score ${JSON.stringify(scoreText.slice(0, 500))}`]
      : []),
  ];
  return {
    model: raw.judge,
    scale: ruling === null ? 'grade' : 'pass_fail',
    dimension: null,
    presentation: null,
    category: null,
    unread: unread.length > 0,
    value: Number.isFinite(value) ? value : null,
    label:
      ruling === null
        ? null
        : (ruling.verdict ?? (mapping.unparseable_as === 'pass' ? 'pass' : null)),
    explanation: unread.length === 0 ? null : `not read: ${unread.join(', ')}`,
  };
}

/** A person's label. */
export interface ImportedLabel {
  readonly success: boolean | null;
  /** 0 to 1. */
  readonly score: number | null;
  /** The rater's wording if it is not yes or no. */
  readonly value: string | null;
  /** Points on the rater's own scale. */
  readonly points: number | null;
  readonly dimension: string | null;
  readonly rater: string | null;
}

/** Null if the row has no label. @throws AssayError invalid_request */
export function readLabel(
  raw: string | null,
  rater: string | null,
  mapping: ImportMapping,
): ImportedLabel | null {
  if (raw === null) return null;
  const { verdict, text } = readRuling(raw, mapping, 'human_label');
  const emptyLabel = {
    success: null,
    score: null,
    value: null,
    points: null,
    dimension: null,
    rater,
  };
  if (verdict !== null) return { ...emptyLabel, success: verdict === 'pass' };
  if (text.trim() === '') return null;
  if (text.length > 1000) throw invalid('human_label: must have at most 1000 characters');
  const score = Number(text);
  const isRate = Number.isFinite(score) && score >= 0 && score <= 1;
  return { ...emptyLabel, score: isRate ? score : null, value: isRate ? null : text };
}
