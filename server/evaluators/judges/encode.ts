/**
 * Untrusted data as JSON text that cannot leave its block: strings are JSON strings, so quotes and line ends are escaped; what nobody
 * sees is written as an escape, so the judge sees it too (S-29); and so is the first sign of whatever chat templates, fences and this
 * product itself take for structure. It decodes to exactly the value that was given (X-9, S-22).
 */
const INVISIBLE =
  /[\u007F-\u009F\u00AD\u180E\u200B-\u200F\u2028-\u202F\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF9-\uFFFB]|[\u{E0000}-\u{E01EF}]/gu;
const STRUCTURE =
  /<(?=[/!]?[\s]*(?:data|think|output|system|user|assistant|human|instructions?|prompt|steering|verdict|im_|s>|bos|eos|pad|unk|start_|end_|begin_|eot)|[|｜<])|\[(?=\/?(?:INST|SYS))|`(?=``)|~(?=~~)|\](?=\]>)/giu;

export function encodeData(value: unknown): string {
  return JSON.stringify(value).replaceAll(INVISIBLE, escaped).replaceAll(STRUCTURE, escaped);
}

function escaped(sign: string): string {
  return Array.from({ length: sign.length }, (_, i) => `\\u${sign.charCodeAt(i).toString(16).padStart(4, '0')}`).join('');
}
