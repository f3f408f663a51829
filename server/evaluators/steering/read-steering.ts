/**
 * The verifier's reply (QV-24). It contains exactly one of these, in any case and with any text
 * around it:
 *
 * - `<status>NO_STEERING_NEEDED</status>`, words separated by spaces, underscores or hyphens, or
 *   `<no_steering_needed/>`;
 * - `<steering>what to do instead</steering>`, not empty.
 *
 * Identical repeats count once. Both, neither, an empty note, two different notes, and unpaired
 * tags are not a verdict.
 */

/** Limit of a note: enough for one message to a model, and for storing it. */
export const NOTE_CHARS_MAX = 4_000;

export type SteeringRead =
  | { readonly state: 'pass' }
  | { readonly state: 'steer'; readonly note: string }
  /**
   * `reason` is in our own words and does not repeat the reply, so it can be sent to the verifier.
   */
  | { readonly state: 'malformed'; readonly reason: string };

const CHARS_MAX = 262_144;
const STATUS =
  /<\s{0,8}status\s{0,8}>\s{0,80}no[\s_-]{1,8}steering[\s_-]{1,8}needed\s{0,80}<\s{0,8}\/\s{0,8}status\s{0,8}>|<\s{0,8}no[\s_-]{1,8}steering[\s_-]{1,8}needed\s{0,8}\/\s{0,8}>/i;
const TAG = /<\s{0,8}(\/?)\s{0,8}steering\s{0,8}(\/?)\s{0,8}>/gi;

/** Reads a verifier's reply. Never throws; linear in the text, which is bounded. */
export function readSteering(reply: string): SteeringRead {
  if (reply.length > CHARS_MAX) return malformed(`it was longer than ${CHARS_MAX} characters`);
  const answer = withoutThinking(reply);
  if (answer.trim() === '') return malformed('it was empty');
  const found = readNotes(answer);
  if (typeof found === 'string') return malformed(found);
  const passes = STATUS.test(answer);
  const notes = new Set(found);
  const [note] = notes;
  if (passes && note !== undefined)
    return malformed('it contained both the status tag and a steering tag');
  if (passes) return { state: 'pass' };
  if (note === undefined)
    return malformed('it contained neither the status tag nor a steering tag');
  if (notes.size > 1) return malformed('it contained two steering tags that differ');
  return { state: 'steer', note: cut(note) };
}

/** Whether a text contains a tag of this protocol: no client may see one (QV-29). */
export function quotesVerifier(text: string): boolean {
  return STATUS.test(text) || text.search(TAG) !== -1;
}

/** The notes in their order, or why they are invalid. */
function readNotes(answer: string): readonly string[] | string {
  const notes: string[] = [];
  let openAt: number | null = null;
  for (const match of answer.matchAll(TAG)) {
    const [whole, closes, empty] = match;
    if (empty !== '') return 'its steering tag was empty';
    if (closes === '') {
      if (openAt !== null) return 'a steering tag stood inside another one';
      openAt = match.index + whole.length;
      continue;
    }
    if (openAt === null) return 'a steering tag was closed that was not opened';
    const note = answer.slice(openAt, match.index).trim();
    if (note === '') return 'its steering tag was empty';
    notes.push(note);
    openAt = null;
  }
  return openAt === null ? notes : 'its steering tag was not closed';
}

function malformed(reason: string): SteeringRead {
  return { state: 'malformed', reason };
}

function cut(note: string): string {
  return note.length <= NOTE_CHARS_MAX
    ? note
    : note.slice(0, NOTE_CHARS_MAX).replace(/[\ud800-\udbff]$/, '');
}

/** Some models write their thinking before they answer; it is not part of the answer. */
function withoutThinking(reply: string): string {
  const trimmed = reply.trimStart();
  if (!/^<think>/i.test(trimmed)) return reply;
  const end = trimmed.search(/<\/think>/i);
  return end === -1 ? '' : trimmed.slice(end + '</think>'.length);
}
