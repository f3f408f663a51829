import { escapeHidden, escapeSign } from './visible';

/**
 * Untrusted data as JSON text that cannot leave its block: strings are JSON strings, so quotes and
 * line ends are escaped; hidden characters are written as escapes, so the judge sees them too
 * (S-29, S-124); and so is the first character of any markup that chat templates, tool protocols,
 * fences and Assay itself parse as structure. It decodes to exactly the given value (X-9, S-22).
 */
const STRUCTURE =
  /<(?=[/!]?[\s]*(?:data|think|output|system|user|assistant|human|instructions?|prompt|steering|status|verdict|tool|function|invoke|antml:|im_|s>|bos|eos|pad|unk|start_|end_|begin_|eot)|[|｜<])|\[(?=\/?(?:INST|SYS|AVAILABLE_TOOLS|TOOL_))|`(?=``)|~(?=~~)|\](?=\]>)/giu;

export function encodeData(value: unknown): string {
  return escapeHidden(JSON.stringify(value)).replaceAll(STRUCTURE, escapeSign);
}
