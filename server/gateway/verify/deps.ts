import type {
  JudgeCall,
  GatewayDialect,
  IntegrityDetail,
  PromptText,
  SourceSettings,
} from '../../domain';
import type { Clock, Logger } from '../../platform';
import type { ResolvedPrompt } from '../../prompts';
import type { StartedVerification, UndeliveredTurn, UndeliveredVerdict } from '../../verdicts';
import type { Bodies } from '../proxy/bodies';
import type { Permit } from '../proxy/breaker';
import type { VerificationOutcome } from '../proxy/breakers';
import type { DeferredNotes } from './deferred-notes';
import type { SpokenMessage } from '../dialects/dialect';
import type { CallUpstream, ExchangeRequest, GatewayProject } from '../exchange';
import type { QualityVerifierSettings } from '../input';
import type { Wait } from './retry-transient';

/** The production prompts at the start of a run, which uses them until its end. */
export interface TurnPrompts {
  readonly verifier: PromptText;
  readonly steering: PromptText;
  /** Empty for no reminder (QV-22). */
  readonly reminder: PromptText;
}

/** @throws Error if the release lacks one of the three prompts */
export function pickPrompts(
  bySlug: ReadonlyMap<string, Pick<ResolvedPrompt, 'prompt'>>,
): TurnPrompts {
  const pick = (slug: string): PromptText => {
    const found = bySlug.get(slug);
    if (found === undefined) throw new Error(`there is no prompt "${slug}"`);
    return found.prompt;
  };
  return {
    verifier: pick('turn-verifier'),
    steering: pick('turn-steering'),
    reminder: pick('turn-reminder'),
  };
}

/** An answer to be judged. */
export interface JudgeCallInput {
  readonly request: ExchangeRequest;
  readonly prompts: TurnPrompts;
  readonly messages: readonly SpokenMessage[];
  readonly completion: string;
  /** The verdict under which the calls are recorded. */
  readonly verdictId: string;
  readonly purpose: string;
  /** Time limit for all calls together. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/** Calls the route's verifier to judge an answer. Never throws: a failure is `verifier_failed`. */
export type Judge = (question: JudgeCallInput) => Promise<JudgeCall>;

/** The sources of one call's answer: the tool results in its request, as sent upstream. */
export interface CallSources {
  readonly callId: string;
  readonly dialect: GatewayDialect;
  readonly body: Uint8Array;
  /** Also count the user's messages as sources. */
  readonly allowUserFigures: boolean;
  /** Which other parts of the messages count as sources. */
  readonly sources: SourceSettings;
}

/** An answer as it would be stored, to compare with its sources. */
export interface ScanQuestion extends CallSources {
  readonly projectId: string;
  readonly output: string;
  /** As the model sent it, or null. */
  readonly envelope: string | null;
  readonly repromptUsed: boolean;
  readonly derivedCountsAsSourced: boolean;
}

/**
 * `late`: not done by the deadline. `busy`: not started because too many scans are waiting.
 * `broken`: the scan returned no verdict.
 */
export type Scanned =
  | { readonly state: 'done'; readonly detail: IntegrityDetail }
  | { readonly state: 'late' | 'busy' | 'broken' };

/** Never throws. Scans large answers in a thread to meet the deadline. */
export type ScanFigures = (question: ScanQuestion, deadlineMs: number) => Promise<Scanned>;

export interface VerifierBreakers {
  /** `probe`: the cooldown is over, and only this call may try. */
  permit(projectId: string, model: string, settings: QualityVerifierSettings): Permit;
  /** Records one outcome per verification (QV-35). */
  note(
    projectId: string,
    model: string,
    settings: QualityVerifierSettings,
    outcome: VerificationOutcome,
  ): void;
  /** Returns a permit that had no outcome. */
  abandon(projectId: string, model: string, permit: Permit): void;
}

/**
 * Verifies undelivered answers by any verifier of a project. Workers make the verdicts, since
 * verifiers may call models or run code.
 */
export interface TurnVerifier {
  /** @throws on storage faults, and if the verifier cannot read the turn */
  start(
    project: GatewayProject,
    input: { readonly verifier: string; readonly turn: UndeliveredTurn },
  ): Promise<StartedVerification>;
  /** Null if there is no verdict in time. @throws on storage faults */
  verdictOf(
    project: GatewayProject,
    verdictId: string,
    wait: { readonly waitMs: number; readonly signal: AbortSignal },
  ): Promise<UndeliveredVerdict | null>;
}

/** Dependencies of verifying a buffered answer. */
export interface VerificationDeps {
  readonly clock: Clock;
  readonly log: Logger;
  /** 0 to 1; decides which notes are withheld as controls. */
  readonly random: () => number;
  readonly wait: Wait;
  readonly callUpstream: (request: ExchangeRequest) => CallUpstream;
  readonly promptsOf: (projectId: string) => TurnPrompts;
  readonly turns: { reset(projectId: string, sessionId: string): void };
  readonly breakers: VerifierBreakers;
  readonly judge: Judge;
  readonly deferred: DeferredNotes;
  readonly bodies: Bodies;
  readonly scan: ScanFigures;
  readonly turnVerifier: TurnVerifier;
}

/** The proxy's state of a buffered answer. */
export interface VerificationState {
  /** The session's next verification is due. */
  readonly shouldVerify: boolean;
  readonly breakerOpen: boolean;
  /** The route's verifier must verify the answer before delivery. */
  readonly routeShouldVerify?: boolean;
  /** The client's own body, without the parts that the gateway added. */
  readonly clientBody?: Buffer;
  /** The session's counter including this call, in thousandths of a turn. */
  readonly counter?: number;
  /** Retries of the call before this answer (INT-9). */
  readonly retries?: number;
}
