import { familiesOf } from './family';
import { nameWords } from './name-words';
import { splitModelName } from './tokens';
import type { Family } from './words';

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
 * One text for all names that may denote the same model: more names are equal than for
 * `modelIdentity`, such as those of quantised, instruction-tuned and fine-tuned versions, and
 * `llama3.1`, `llama-v3p1` and `Llama-3.1`. Refusing a judge by mistake is harmless, letting a
 * model judge itself is not (VS-35).
 */
export function normaliseModel(model: string): string {
  const families = familiesOf(model);
  const { name } = splitModelName(model);
  const { bare, words: all } = nameWords(cutQuantisation(name), families);
  const words = all
    .map((word) => word.replace(/^chatgpt/, 'gpt'))
    .filter(
      (word) =>
        !packing.has(word) &&
        !families.some((family) => packingOf[family]?.has(word)) &&
        !(families.includes('mistral') && /^v0\.\d$/.test(word)),
    );
  const numbered = words.some((word) => /\d/.test(word));
  const significant = words.filter(
    (word) => !(word === 'chat' && numbered) && !/^\d+k$/.test(word),
  );
  return inMakersOrder(significant.length > 0 ? significant : [bare], families[0] ?? null).join(
    '-',
  );
}

/** `q4_K_M`, `iq2_xxs`, `8.0bpw`, as llama.cpp and exllama name them. */
function cutQuantisation(name: string): string {
  return name.replace(
    /(^|[-_.:])(?:i?q\d(?:_[a-z0-9]{1,3}){0,3}|\d(?:\.\d+)?bpw)(?![a-z0-9])/g,
    '$1',
  );
}

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
