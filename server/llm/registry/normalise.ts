import { familiesOf } from './family';
import { splitModelName } from './tokens';
import { type Family, familiesOfWord } from './words';

/** Words for how a model is packaged, served or tuned for chat, which do not identify the model. */
const packing = new Set(
  `latest stable default preview exp experimental free nitro beta extended online floor instruct it hf gguf ggml awq gptq exl2 mlx nf4 bnb
  fp8 fp16 bf16 f16 fp4 int4 int8 4bit 8bit 6bit 3bit w4a16 w8a8 onnx quantized quant ud dynamic`.split(
    /\s+/,
  ),
);

/** Whether the part after a colon does not identify a model: `latest`, `free`, `8b`, `q4_0`. */
export function isTag(text: string): boolean {
  return packing.has(text.toLowerCase()) || !/[a-z]{3}/i.test(text);
}

/**
 * Words that denote a setting or a packaging within one family, and a model in another: `turbo` is
 * Together's 8-bit version, but GPT-4 Turbo is a model.
 */
const packingOf: Partial<Record<Family, ReadonlySet<string>>> = {
  anthropic: new Set(['thinking']),
  openai: new Set(['high', 'low']),
  meta: new Set(['meta', 'turbo', 'lite', 'reference', 'versatile', 'instant']),
  qwen: new Set(['turbo', 'lite']),
};

/**
 * One text for all spellings of a model: without route, maker, region, parameters, date, `latest`,
 * quantisation, price tag (`:free`) and suffixes of hosts (`-v1:0`, `@20240620`); words as their
 * makers write them (`llama3.1`, `llama-v3p1` and `Llama-3.1` are one). Spellings that may denote
 * the same model are treated as equal: refusing a judge by mistake is harmless, letting a model
 * judge itself is not (VS-35).
 */
export function normaliseModel(model: string): string {
  const families = familiesOf(model);
  const { name } = splitModelName(model);
  const bare = cutQuantisation(name)
    // A host's own revision: `-v1:0`, `-v2:0`; `claude-v2:1` on such a host is Claude 2.1.
    .replace(/^claude-v(\d):(\d)$/, 'claude-$1-$2')
    // The first versions of GPT-4 Turbo were named by their dates only.
    .replace(/^gpt-4-(?:1106|0125|vision)(?=-|$)/, 'gpt-4-turbo')
    .replace(/-v\d+:\d+$/, '')
    .replace(/:\d+$/, '');
  const words = cutDates(splitWords(bare, families)).filter(
    (word) => !packing.has(word) && !families.some((family) => packingOf[family]?.has(word)),
  );
  const numbered = words.some((word) => /\d/.test(word));
  const kept = words.filter((word) => !(word === 'chat' && numbered) && !/^\d+k$/.test(word));
  return inMakersOrder(kept.length > 0 ? kept : [bare], families[0] ?? null).join('-');
}

/** `q4_K_M`, `iq2_xxs`, `8.0bpw`, as llama.cpp and exllama name them. */
function cutQuantisation(name: string): string {
  return name.replace(
    /(^|[-_.:])(?:i?q\d(?:_[a-z0-9]{1,3}){0,3}|\d(?:\.\d+)?bpw)(?![a-z0-9])/g,
    '$1',
  );
}

/**
 * Splits words from version numbers: `llama3.1` is llama, 3, 1; sizes (`8b`, `8x7b`, `0.5b`), `4o`
 * and `o1` stay whole.
 */
function splitWords(name: string, families: readonly Family[]): string[] {
  return name.split(/[-_:+\s]+/).flatMap((part) => {
    const token = part.replace(/^v(\d+)p(\d+)$/, '$1.$2').replace(/^chatgpt/, 'gpt');
    if (token === '') return [];
    const glued = /^([a-z]{2,})(\d.*)$/.exec(token);
    const [, word = '', rest = ''] = glued ?? [];
    const parts = familiesOfWord.has(word) ? [word, rest] : [token];
    return parts.flatMap((each) => {
      if (families.includes('openai') && each === '35') return ['3', '5'];
      if (families.includes('mistral') && /^v0\.\d$/.test(each)) return [];
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
    else if (['preview', 'exp'].includes(word) && monthOrDay.test(next) && monthOrDay.test(after))
      i += 2;
    else if (i === 0 || !/^(?:20[2-3]\d[01]\d[0-3]\d|[01]\d[0-3]\d|2[3-9][01]\d|00\d)$/.test(word))
      out.push(word);
  }
  return out;
}

const monthOrDay = /^[0-3]\d$/;

/**
 * Claude and Gemini are written with the version before the size (`3-5-sonnet`) and after it
 * (`sonnet-4-5`).
 */
function inMakersOrder(words: readonly string[], family: Family | null): readonly string[] {
  if (family !== 'anthropic' && family !== 'google') return words;
  const [first = '', ...rest] = words;
  const version = rest.filter(
    (word) => /^v?\d+$/.test(word) && !(family === 'anthropic' && /^v\d/.test(word)),
  );
  const old = rest
    .filter((word) => family === 'anthropic' && /^v\d/.test(word))
    .map((word) => word.slice(1));
  const names = rest.filter((word) => !/^v?\d+$/.test(word));
  // `claude-v2` is Claude 2; after a size, `v2` is a host's revision.
  return [first, ...names, ...(version.length === 0 ? old : version)];
}
