import type { SteeringRecord } from '../../domain';
import { quotesVerifier, renderSteering } from '../../evaluators/steering';
import { costOf } from '../../llm';
import { bodyResult } from '../proxy/bodies';
import type { BufferedAnswer } from '../exchange';
import type { VerificationDeps, TurnPrompts } from './deps';
import type { AnswerToVerify } from './verify-answer';
import { readAnswer } from './read-answer';

/** An answer to replace. Its request is parsed again, since the note is added to it. */
export type AnswerToReplace = Pick<AnswerToVerify, 'request' | 'answer' | 'completion' | 'signal'>;

/** The new answer, if there is one, and the request that it answers. */
export interface Regenerated {
  readonly steer: SteeringRecord;
  /** Null if the original is to be delivered. */
  readonly answer: BufferedAnswer | null;
  readonly body: Buffer;
}

const ANSWER_BYTES_MAX = 8 * 1024 * 1024;
/** Maximum characters stored of the answer that was not delivered. */
const OTHER_CHARS_MAX = 65_536;
const PROBLEM_CHARS_MAX = 300;
/** A shorter note may occur in an answer by chance. */
const QUOTED_CHARS_MIN = 40;

/**
 * Calls the main model again with the note as a private system message, in the client's own mode
 * (QV-26, QV-27), and buffers the reply. Exactly one answer is delivered: the original if the new
 * one is incomplete (QV-28) or quotes the verifier, which the user must not see (QV-29). The call
 * goes directly upstream, so it is neither counted nor verified.
 */
export async function regenerate(
  deps: VerificationDeps,
  input: AnswerToReplace,
  prompts: Pick<TurnPrompts, 'steering'>,
  note: string,
): Promise<Regenerated> {
  const { request, answer } = input;
  const message = renderSteering(prompts.steering, note);
  const owned = { projectId: request.route.project.id, dialect: request.dialect };
  const body = bodyResult(
    await deps.bodies.work('steering', { ...owned, body: request.body }, message),
  );
  if (body === null) return { steer: unapplied('no_context'), answer: null, body: request.body };
  const began = deps.clock.monotonicMs();
  const outcome = await deps.callUpstream(request)({
    body,
    signal: input.signal,
    maxBytes: ANSWER_BYTES_MAX,
  });
  const failed = (
    state: SteeringRecord['state'],
    problem: string,
    more: Partial<SteeringRecord> = {},
  ): Regenerated => {
    const shortProblem = problem.slice(0, PROBLEM_CHARS_MAX).toWellFormed();
    return {
      steer: { ...unapplied(state), ...duration(), ...more, problem: shortProblem },
      answer: null,
      body: request.body,
    };
  };
  const duration = () => ({ recall_ms: deps.clock.monotonicMs() - began });
  if (outcome.state === 'failed')
    return failed('recall_failed', `${outcome.problem}: ${outcome.message}`);
  if (outcome.status !== 200)
    return failed('recall_failed', `the upstream answered ${outcome.status}`);
  const read = await readAnswer(deps, request, outcome.chunks, answer.form);
  if (read === null) return failed('recall_failed', 'the answer could not be read');
  const cost = costOfRegeneration(input, read);
  const other = { ...cost, other_answer: read.text.slice(0, OTHER_CHARS_MAX) };
  if (!read.complete) return failed('recall_failed', 'the answer broke off', other);
  // A tool call counts as an answer: the note may make the model look something up.
  if (read.text.trim() === '' && read.toolCalls.length === 0)
    return failed('recall_empty', 'the answer was empty', cost);
  const shown = [read.text, ...read.toolCalls.map((each) => each.arguments)].join('\n');
  if (quotes(shown, answer.read.text, note))
    return failed('recall_failed', 'the answer quoted the verifier', other);
  return applied({ chunks: outcome.chunks, form: answer.form, read });

  function applied(regenerated: BufferedAnswer): Regenerated {
    const steer = {
      ...unapplied('applied'),
      ...duration(),
      ...cost,
      other_answer: input.completion.slice(0, OTHER_CHARS_MAX),
    };
    return { steer, answer: regenerated, body: body ?? request.body };
  }
}

/** The record of a note without a regeneration. */
export function unapplied(state: SteeringRecord['state']): SteeringRecord {
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

/** Whether a text quotes the note or a verifier tag that the original does not contain. */
function quotes(text: string, original: string, note: string): boolean {
  if (quotesVerifier(text) && !quotesVerifier(original)) return true;
  return note.length >= QUOTED_CHARS_MIN && text.includes(note) && !original.includes(note);
}

function costOfRegeneration(
  { request }: AnswerToReplace,
  read: BufferedAnswer['read'],
): Partial<SteeringRecord> {
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
