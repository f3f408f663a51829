import type { EpisodeSteer } from '../../domain';
import { quotesVerifier, renderSteering } from '../../evaluators/steering';
import { costOf } from '../../llm';
import { resultOf } from '../proxy/bodies';
import type { BufferedAnswer } from '../exchange';
import type { VerifyDeps, TurnPrompts } from './deps';
import type { DueAnswer } from './episode';
import { readAnswer } from './read-answer';

/** The answer in the original's place, if there is one, with the request that it is to. */
export interface Recalled {
  readonly steer: EpisodeSteer;
  /** Null: the original is delivered. */
  readonly answer: BufferedAnswer | null;
  readonly body: Buffer;
}

const ANSWER_BYTES_MAX = 8 * 1024 * 1024;
/** Of the answer that was not delivered, so much is kept next to the one that was. */
const OTHER_CHARS_MAX = 65_536;
const PROBLEM_CHARS_MAX = 300;
/** A note shorter than this may be in an answer by chance. */
const QUOTED_CHARS_MIN = 40;

/**
 * Asks the main model again with the note as a private message of the system, in the client's own
 * mode (QV-26, QV-27), and holds what comes until it is complete: exactly one answer goes out, and
 * where the recall is no whole answer it is the original (QV-28). What quotes the verifier is no
 * answer either: the user is not to see it (QV-29). The call goes straight up, so it is neither
 * counted nor verified.
 */
export async function regenerate(
  deps: VerifyDeps,
  due: DueAnswer,
  prompts: TurnPrompts,
  note: string,
): Promise<Recalled> {
  const { request, answer } = due;
  const message = renderSteering(prompts.steering, note);
  const owned = { projectId: request.route.project.id, dialect: request.dialect };
  const body =
    due.read === null
      ? null
      : resultOf(await deps.bodies.work('steering', { ...owned, body: request.body }, message));
  if (body === null) return { steer: unapplied('no_context'), answer: null, body: request.body };
  const began = deps.clock.monotonicMs();
  const outcome = await deps.callUpstream(request)({
    body,
    signal: due.signal,
    maxBytes: ANSWER_BYTES_MAX,
  });
  const failed = (
    state: EpisodeSteer['state'],
    problem: string,
    more: Partial<EpisodeSteer> = {},
  ): Recalled => {
    const verification = problem.slice(0, PROBLEM_CHARS_MAX).toWellFormed();
    return {
      steer: { ...unapplied(state), ...took(), ...more, problem: verification },
      answer: null,
      body: request.body,
    };
  };
  const took = () => ({ recall_ms: deps.clock.monotonicMs() - began });
  if (outcome.state === 'failed')
    return failed('recall_failed', `${outcome.problem}: ${outcome.message}`);
  if (outcome.status !== 200)
    return failed('recall_failed', `the upstream answered ${outcome.status}`);
  const read = await readAnswer(deps, request, outcome.chunks, answer.form);
  if (read === null) return failed('recall_failed', 'the answer could not be read');
  const cost = costOfRegeneration(due, read);
  const other = { ...cost, other_answer: read.text.slice(0, OTHER_CHARS_MAX) };
  if (!read.complete) return failed('recall_failed', 'the answer broke off', other);
  // A call of a tool is an answer: what the note asks for may be to look something up.
  if (read.text.trim() === '' && read.toolCalls.length === 0)
    return failed('recall_empty', 'the answer was empty', cost);
  const shown = [read.text, ...read.toolCalls.map((each) => each.arguments)].join('\n');
  if (quotes(shown, answer.read.text, note))
    return failed('recall_failed', 'the answer quoted the verifier', other);
  return applied({ chunks: outcome.chunks, form: answer.form, read });

  function applied(regenerated: BufferedAnswer): Recalled {
    const steer = {
      ...unapplied('applied'),
      ...took(),
      ...cost,
      other_answer: due.completion.slice(0, OTHER_CHARS_MAX),
    };
    return { steer, answer: regenerated, body: body ?? request.body };
  }
}

/** A note that led to no call. */
export function unapplied(state: EpisodeSteer['state']): EpisodeSteer {
  return {
    state,
    problem: null,
    recall_ms: null,
    recall_input_tokens: null,
    recall_output_tokens: null,
    recall_cost_usd: null,
    other_answer: null,
    after: null,
    unsourced_before: null,
    unsourced_after: null,
  };
}

/**
 * Whether a text shows the note or a tag of the verifier's that the original answer did not have of
 * its own.
 */
function quotes(text: string, original: string, note: string): boolean {
  if (quotesVerifier(text) && !quotesVerifier(original)) return true;
  return note.length >= QUOTED_CHARS_MIN && text.includes(note) && !original.includes(note);
}

function costOfRegeneration(
  { request }: DueAnswer,
  read: BufferedAnswer['read'],
): Partial<EpisodeSteer> {
  const { model, inputTokens, outputTokens } = read;
  const named = model ?? request.model;
  const isKnown = named !== null && (inputTokens !== null || outputTokens !== null);
  const price = named === null ? null : (request.route.provider?.prices.get(named) ?? null);
  return {
    recall_input_tokens: inputTokens,
    recall_output_tokens: outputTokens,
    recall_cost_usd: isKnown ? costOf(named, inputTokens ?? 0, outputTokens ?? 0, price) : null,
  };
}
