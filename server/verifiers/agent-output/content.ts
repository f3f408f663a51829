import type { Issue } from '../../domain';
import type { ReadOutput } from './format';

/**
 * Checks of an output's content that need no model (SOAR-17): whether the summary is about the
 * subgoal, whether it is complete, and whether the confidence fits the summary. Each finding is an
 * issue for people and for the next attempt. The verdict depends only on the stated confidence and
 * the format (SOAR-18).
 */
export type ContentFault = 'off_topic' | 'truncated' | 'confidence_too_high' | 'confidence_too_low';

export interface ContentIssue extends Issue {
  readonly code: ContentFault;
}

/**
 * Characters searched for words of the subgoal. If a text mentions the subgoal only after that, the
 * issue is reported although the topic is right.
 */
const READ_CHARS = 20_000;
/** A confidence from this value up claims that nothing is missing. */
const SURE = 0.9;
/** A confidence up to this value claims that little was found. */
const UNSURE = 0.3;

export function checkContent(
  { summary, data, confidence, failure }: ReadOutput,
  description: string,
): readonly ContentIssue[] {
  if (failure !== null || summary === '') return [];
  // Searches the whole text: an output can admit anywhere that something is missing (S-125).
  const hedge = hedges.exec(summary)?.[0] ?? null;
  const empty = isEmpty(data);
  const issue = (code: ContentFault, message: string): ContentIssue => ({
    code,
    message,
    severity: 'medium',
    path: 'output.summary',
  });
  const issues: ContentIssue[] = [];
  if (!sharesWords(description, `${summary.slice(0, READ_CHARS)} ${dataText(data)}`))
    issues.push(issue('off_topic', 'The summary has no word of its subgoal'));
  const cut = whyCut(summary);
  if (cut !== null) issues.push(issue('truncated', `The summary is cut off: ${cut}`));
  if (confidence !== null && confidence >= SURE && hedge !== null) {
    issues.push(
      issue(
        'confidence_too_high',
        `A confidence of ${confidence} does not fit a summary that says "${hedge.trim()}"`,
      ),
    );
  }
  if (confidence !== null && confidence <= UNSURE && hedge === null && !empty && cut === null) {
    issues.push(
      issue(
        'confidence_too_low',
        `A confidence of ${confidence} does not fit an output that names nothing that is missing`,
      ),
    );
  }
  return issues;
}

/**
 * Words by which an output admits that it is incomplete. Bounded and without nested repeats: linear
 * on any text.
 */
const hedges =
  /\b(?:could ?n[o']t|was unable to|were unable to|unable to|fail(?:ed|s) to|did not find|no results?|not found|partial(?:ly)?|incomplete|not (?:yet )?(?:complete|finished|verified|certain|sure)|unclear|unknown|guess(?:ed|ing)?|assum(?:ed?|ing|ption)|to ?do)\b/i;

const connecting =
  /\b(?:and|or|but|the|an|of|to|with|for|in|on|at|by|from|that|which|because|is|are|was|were)$/i;

/** Why a text is incomplete, or null. */
function whyCut(text: string): string | null {
  const end = text.trimEnd();
  if (/(?:\.{3}|…|\[truncated\]|\(truncated\)|\[cut\])$/i.test(end))
    return 'it ends with a mark of omission';
  if ((end.match(/```/g)?.length ?? 0) % 2 === 1) return 'a block of code is not closed';
  if (/[,;:([{–-]$/.test(end)) return `it ends with "${end.slice(-1)}"`;
  const last = connecting.exec(end.slice(-20));
  return last === null ? null : `it ends with "${last[0]}"`;
}

const common: ReadonlySet<string> = new Set(
  'that this with from into have been will them they their there which what when where then than each every some more most such only also does done make made find about using used file files'.split(
    ' ',
  ),
);

/** Word forms are compared by their first letters: "analyse", "analysis", "analysed". */
const STEM = 5;

function stemsOf(text: string): ReadonlySet<string> {
  const words =
    text
      .slice(0, READ_CHARS * 2)
      .normalize('NFC')
      .match(/[\p{L}\p{N}]{4,}/gu) ?? [];
  return new Set(
    words.flatMap((word) =>
      common.has(word.toLowerCase()) ? [] : [word.toLowerCase().slice(0, STEM)],
    ),
  );
}

/** Also true if either text has too few words to decide. */
function sharesWords(description: string, summary: string): boolean {
  const wanted = stemsOf(description);
  if (wanted.size < 3) return true;
  const found = stemsOf(summary);
  return found.size < 3 || [...wanted].some((stem) => found.has(stem));
}

const isEmpty = (data: unknown): boolean =>
  data === null ||
  data === '' ||
  (typeof data === 'object' && Object.keys(data as object).length === 0);

const dataText = (data: unknown): string =>
  (typeof data === 'string' ? data : (JSON.stringify(data) ?? '')).slice(0, READ_CHARS);
