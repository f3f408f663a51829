import { type Block, blocksOf } from './blocks';
import { hasContent, statementsIn } from './content';
import type { TextRange } from './sentences';

/**
 * One statement of an answer. `start` and `end` are UTF-16 indices of the answer, end exclusive,
 * and `text` is the text between them.
 */
export interface Claim extends TextRange {
  readonly text: string;
  /** The label of its list ("Flight HAT069" above "Price: $121"), which names its subject. */
  readonly label: TextRange | null;
}

const SOURCES =
  /^[\s*_]{0,4}(?:sources?|references?|citations?|bibliography|footnotes?|further reading|quellen|literatur)[\s*_:]{0,6}$/iu;
const BOLD = /^(?:\*\*|__)[^*_\n]{1,200}(?:\*\*|__):?$/u;
const VERB = /\b(?:is|are|was|were|has|have|had|will|can|be|ist|sind|hat)\b/iu;
const LABEL_WORDS = 8;
const CITED_WORDS = 25;

/**
 * The claims of an answer (SOAR-21): its sentences, list items and table rows, in order and
 * disjoint. Headings, labels of lists, questions, greetings, code, lists of sources and repetitions
 * are not claims. Deterministic, and linear in the length of the answer.
 */
export function splitClaims(answer: string): readonly Claim[] {
  const blocks = blocksOf(answer);
  const claims: Claim[] = [];
  const seen = new Set<string>();
  const labels: Block[] = [];
  let inSources = false;
  for (const [i, block] of blocks.entries()) {
    const head = answer.slice(block.start, Math.min(block.end, block.start + 300));
    if (block.kind === 'heading' || isLabel(head, block, blocks[i + 1])) {
      inSources = SOURCES.test(head);
      if (block.kind !== 'item') labels.length = 0;
      dropFrom(labels, block.indent);
      if (block.kind !== 'heading')
        labels.push(block.kind === 'text' ? { ...block, indent: -1 } : block);
      continue;
    }
    if (SOURCES.test(head)) {
      inSources = true;
      continue;
    }
    if (isCitation(head, block, inSources)) continue;
    if (block.kind === 'text') {
      inSources = false;
      labels.length = 0;
    }
    dropFrom(labels, block.kind === 'item' ? block.indent : 0);
    const label = block.kind === 'item' ? (labels.at(-1) ?? null) : null;
    const stretches =
      block.kind === 'row'
        ? [block].filter((row) => hasContent(answer, row))
        : statementsIn(answer, block);
    for (const { start, end } of stretches) {
      const text = answer.slice(start, end);
      // A repetition is not a further claim.
      const labelledText = `${label === null ? '' : answer.slice(label.start, label.end)}\n${text}`;
      if (seen.has(labelledText)) continue;
      seen.add(labelledText);
      claims.push({
        start,
        end,
        text,
        label: label === null ? null : { start: label.start, end: label.end },
      });
    }
  }
  return claims;
}

/** Drops labels indented at least this far: they no longer apply. */
function dropFrom(labels: Block[], indent: number): void {
  while ((labels.at(-1)?.indent ?? -1) >= Math.max(0, indent)) labels.pop();
}

/** A few words that introduce the following lines: in bold, or ending in a colon before a list. */
function isLabel(head: string, block: Block, next: Block | undefined): boolean {
  if (block.kind === 'row' || block.end - block.start > 200) return false;
  const leads = next?.kind === 'item' && (block.kind === 'text' || next.indent > block.indent);
  if (!leads && block.kind !== 'text') return false;
  if (head.includes('\n') || head.split(/\s+/).length > LABEL_WORDS || VERB.test(head))
    return false;
  if (BOLD.test(head)) return true;
  // Before code no readable text follows.
  return (leads || (block.kind === 'text' && !/[\d`]/.test(head))) && /:(?:\*\*|__)?$/.test(head);
}

/** A line that only cites a source and states nothing. */
function isCitation(head: string, block: Block, inSources: boolean): boolean {
  if (block.end - block.start > 300) return false;
  if (/^\[\^?[\w-]{1,40}\]:?\s+\S*https?:\/\//u.test(head)) return true;
  if (!inSources || block.kind === 'row') return false;
  return (
    head.split(/\s+/).length <= CITED_WORDS &&
    (head.includes('://') || (!/[.!?]["'”’)]?$/.test(head) && !VERB.test(head)))
  );
}
