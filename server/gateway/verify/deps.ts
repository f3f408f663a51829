import type {
  EpisodeLook,
  GatewayDialect,
  IntegrityDetail,
  PromptText,
  SourceSettings,
} from '../../domain';
import type { Clock, Logger } from '../../platform';
import type { ResolvedPrompt } from '../../prompts';
import type { Bodies } from '../proxy/bodies';
import type { Permit } from '../proxy/breaker';
import type { EpisodeOutcome } from '../proxy/breakers';
import type { DeferredNotes } from './deferred-notes';
import type { SpokenMessage } from '../dialects/dialect';
import type { CallUpstream, ExchangeRequest } from '../exchange';
import type { QualityVerifierSettings } from '../input';
import type { Wait } from './retry-transient';

/** Prompts as they are in production when a run begins; the run keeps what it got. */
export interface TurnPrompts {
  readonly verifier: PromptText;
  readonly steering: PromptText;
  /** With an empty text there is none (QV-22). */
  readonly reminder: PromptText;
}

/** @throws Error where the release lacks one of the three: a fault of the release */
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

/** An answer to be looked at. */
export interface VerifierQuestion {
  readonly request: ExchangeRequest;
  readonly prompts: TurnPrompts;
  readonly messages: readonly SpokenMessage[];
  readonly completion: string;
  /** The verdict that the calls are recorded under. */
  readonly verdictId: string;
  readonly purpose: string;
  /** For all calls together. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/**
 * Has the route's verifier look at an answer. Never throws: what goes wrong is `verifier_failed`.
 */
export type AskVerifier = (question: VerifierQuestion) => Promise<EpisodeLook>;

/** The sources of one call's answer: the results of tools in its request, as it went up. */
export interface CallSources {
  readonly callId: string;
  readonly dialect: GatewayDialect;
  readonly body: Uint8Array;
  /** The user's messages count as well. */
  readonly allowUserFigures: boolean;
  /** Which other parts of its messages count. */
  readonly sources: SourceSettings;
}

/** An answer as it would be stored, to be held against its sources. */
export interface ScanQuestion extends CallSources {
  readonly projectId: string;
  readonly output: string;
  /** As the model sent it, or null. */
  readonly envelope: string | null;
  readonly repromptUsed: boolean;
  readonly derivedCountsAsSourced: boolean;
}

/**
 * `late`: not done by the deadline. `busy`: not begun, because too many wait. `broken`: the scan
 * gave no verdict.
 */
export type Scanned =
  | { readonly state: 'done'; readonly detail: IntegrityDetail }
  | { readonly state: 'late' | 'busy' | 'broken' };

/** Never throws. What is large is scanned in a thread, so that the deadline holds. */
export type ScanFigures = (question: ScanQuestion, deadlineMs: number) => Promise<Scanned>;

export interface Breakers {
  /** `probe`: the cooldown is over, and this call alone may try. */
  permit(projectId: string, model: string, settings: QualityVerifierSettings): Permit;
  /** One outcome an episode (QV-35). */
  note(
    projectId: string,
    model: string,
    settings: QualityVerifierSettings,
    outcome: EpisodeOutcome,
  ): void;
  /** What was permitted came to no outcome. */
  abandon(projectId: string, model: string, permit: Permit): void;
}

/** What settling held answers is on. */
export interface VerifyDeps {
  readonly clock: Clock;
  readonly log: Logger;
  /** 0 to 1: which notes are withheld as controls. */
  readonly random: () => number;
  readonly wait: Wait;
  readonly callUpstream: (request: ExchangeRequest) => CallUpstream;
  readonly promptsOf: (projectId: string) => TurnPrompts;
  readonly turns: { reset(projectId: string, sessionId: string): void };
  readonly breakers: Breakers;
  readonly askVerifier: AskVerifier;
  readonly deferred: DeferredNotes;
  readonly bodies: Bodies;
  readonly scan: ScanFigures;
}

/** What the door knows of an answer that it has held. */
export interface BufferState {
  /** The session's turns are due for a verification. */
  readonly due: boolean;
  readonly breakerOpen: boolean;
  /** Where the session's counter is, this call included, in thousandths of a turn. */
  readonly counter?: number;
  /** How often the call was made again before it gave this answer (INT-9). */
  readonly retries?: number;
}
