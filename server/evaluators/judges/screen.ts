import { isBlank } from '../../domain';
import { withoutInvisible } from './hidden-text';

/** Why a text is decided without a judge (VS-14, S-26). */
export type ScreenCode = 'empty_output' | 'nothing_visible' | 'master_key';

export interface Screened {
  readonly code: ScreenCode;
  readonly message: string;
}

/**
 * Openers of an answer that make judges pass a text with no answer after them (arXiv 2507.08794),
 * and similar ones.
 */
const masterKeys = new Set(
  [
    'thought process',
    'thoughts',
    'thinking process',
    'reasoning',
    'solution',
    'the solution',
    'answer',
    'the answer',
    'final answer',
    'explanation',
    'step by step',
    "let's solve this problem step by step",
    "let's solve this step by step",
    "let's think step by step",
    'lets solve this problem step by step',
    'lets think step by step',
    'here is the answer',
    'here is the solution',
    'in conclusion',
    '解',
    '解答',
    '回答',
    '答案',
    '解説',
    'かいせつ',
    'respuesta',
    'solución',
    'réponse',
    'lösung',
    'antwort',
    'risposta',
    'soluzione',
    'решение',
    'ответ',
    'ans',
    'sol',
  ].map((key) => key.normalize('NFKC')),
);
const KEY_CHARS_MAX = 200;

/**
 * The reason why there is nothing to judge: no text, no visible text, or only an opening phrase.
 * Null if there is something to judge.
 */
export function screenOutput(output: string): Screened | null {
  if (output.trim() === '') return { code: 'empty_output', message: 'The output is empty' };
  const visible = withoutInvisible(output);
  if (isBlank(visible))
    return { code: 'nothing_visible', message: 'The output contains no visible text' };
  if (!/[^\p{Z}\p{C}\p{M}\p{P}]/u.test(visible))
    return { code: 'master_key', message: 'The output is punctuation only' };
  if (output.length > KEY_CHARS_MAX) return null;
  const normalized = visible
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/^[\p{P}\p{Z}\s]+|[\p{P}\p{Z}\s]+$/gu, '')
    .replace(/\s+/g, ' ');
  if (!masterKeys.has(normalized)) return null;
  return {
    code: 'master_key',
    message: 'The output is only an opening phrase, such as "Final answer:", with no answer',
  };
}
