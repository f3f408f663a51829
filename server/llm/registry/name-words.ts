import { type Family, familiesOfWord } from './words';

/** The name of a model without prefixes, and its words without dates and hosts' revisions. */
export interface NameWords {
  readonly bare: string;
  /** Version numbers are separate words: `claude-3.5-sonnet` is claude, 3, 5, sonnet. */
  readonly words: readonly string[];
}

/**
 * Splits a name in lower case, without vendor and route, into words as its makers write them.
 * Cuts dates (`-20240620`, `-2024-07-18`, `-0613`, `-002`) and revisions of hosts (`-v1:0`).
 */
export function nameWords(name: string, families: readonly Family[]): NameWords {
  const bare = name
    // A host's own revision: `-v1:0`, `-v2:0`; `claude-v2:1` on such a host is Claude 2.1.
    .replace(/^claude-v(\d):(\d)$/, 'claude-$1-$2')
    // The first versions of GPT-4 Turbo were named by their dates only.
    .replace(/^gpt-4-(?:1106|0125|vision)(?=-|$)/, 'gpt-4-turbo')
    .replace(/-v\d+:\d+$/, '')
    .replace(/:\d+$/, '');
  return { bare, words: cutDates(splitWords(bare, families)) };
}

/**
 * Splits words from version numbers: `llama3.1` is llama, 3, 1; sizes (`8b`, `8x7b`, `0.5b`), `4o`,
 * `o1` and Mistral's `v0.3` stay whole.
 */
function splitWords(name: string, families: readonly Family[]): string[] {
  return name.split(/[-_:+\s]+/).flatMap((part) => {
    const token = part.replace(/^v(\d+)p(\d+)$/, '$1.$2');
    if (token === '') return [];
    const glued = /^([a-z]{2,})(\d.*)$/.exec(token);
    const [, word = '', rest = ''] = glued ?? [];
    const parts = familiesOfWord.has(word) ? [word, rest] : [token];
    return parts.flatMap((each) => {
      if (families.includes('openai') && each === '35') return ['3', '5'];
      if (families.includes('mistral') && /^v0\.\d$/.test(each)) return [each];
      return /^\d+(?:\.\d+)?(?:x\d+(?:\.\d+)?)?[bm]$/.test(each)
        ? [each]
        : each.split('.').filter((piece) => piece !== '');
    });
  });
}

/**
 * Removes dates, in all forms that makers append to names: 20240620, 2024-07-18, 08-2024, 05-06 of
 * a preview, 0613, 2407, 001.
 */
function cutDates(words: readonly string[]): string[] {
  const out: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    const [next = '', after = ''] = [words[i + 1], words[i + 2]];
    if (/^20[2-3]\d$/.test(word) && monthOrDay.test(next)) i += monthOrDay.test(after) ? 2 : 1;
    else if (monthOrDay.test(word) && /^20[2-3]\d$/.test(next)) i += 1;
    else if (['preview', 'exp'].includes(word) && monthOrDay.test(next) && monthOrDay.test(after)) {
      out.push(word);
      i += 2;
    } else if (
      i === 0 ||
      !/^(?:20[2-3]\d[01]\d[0-3]\d|[01]\d[0-3]\d|2[3-9][01]\d|00\d)$/.test(word)
    )
      out.push(word);
  }
  return out;
}

const monthOrDay = /^[0-3]\d$/;
