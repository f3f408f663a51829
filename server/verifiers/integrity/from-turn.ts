import type { IntegrityDetail, Source, TurnContent } from '../../domain';
import type { TurnRead, TurnReader } from '../kind';
import type { IntegrityConfig } from './config';
import type { IntegritySubject } from './subject';

/**
 * The subject of a stored turn. Tool messages of earlier turns in `input` are not sources (INT-2).
 */
export function integritySubject(turn: TurnContent): IntegritySubject {
  const tools = turn.tools.map(
    (tool): Source => ({ id: tool.id, label: tool.name, format: tool.format, text: tool.result }),
  );
  const context = turn.context.map(
    (block): Source => ({
      id: block.id,
      label: 'context',
      format: block.format,
      text: block.content,
    }),
  );
  return {
    output: turn.answer,
    envelope: turn.envelope,
    sources: [...tools, ...context],
    userText: turn.input
      .filter((message) => message.role === 'user')
      .map((message) => message.content),
    repromptUsed: turn.repromptUsed,
  };
}

/**
 * Reads a stored turn (online.md 2). Arriving traffic without any source cannot be traced:
 * `no_sources`. When switched off, it passes the answer through (INT-11). An answer that its origin
 * has checked is not checked again (INT-15).
 */
export const integrityFromTurn: TurnReader<IntegritySubject, IntegrityConfig> = {
  read(turn, { config, offBy, isHandedOver }) {
    if (offBy !== null) return offRead(turn, offBy);
    const origin = originResult(turn.relayedFrom);
    if (origin !== null) return relayRead(turn, origin);
    const subject = integritySubject(turn);
    const hasOwn =
      subject.sources.length > 0 || (config.allow_user_figures && subject.userText.length > 0);
    return hasOwn || isHandedOver
      ? { state: 'read', subject }
      : { state: 'no_subject', reason: 'no_sources' };
  },
};

type Skipped = Extract<TurnRead<IntegritySubject>, { state: 'skipped' }>;

function offRead(turn: TurnContent, offBy: 'environment' | 'project'): Skipped {
  const where =
    offBy === 'environment' ? 'by the environment (ASSAY_AI_INTEGRITY)' : 'in the project settings';
  return {
    state: 'skipped',
    decision: { state: 'blocked', reason: `integrity is switched off ${where}` },
    detail: verbatim(turn),
  };
}

function relayRead(turn: TurnContent, { unsourced, footer }: OriginResult): Skipped {
  return {
    state: 'skipped',
    decision: { state: 'duplicate', reason: 'relayed: integrity ran where the answer was made' },
    detail: { ...verbatim(turn), unsourced, sources_footer: footer },
  };
}

/** The answer as received. */
const verbatim = (turn: TurnContent): IntegrityDetail => ({
  mode: null,
  unsourced: 0,
  parse_ok: null,
  reprompt_used: turn.repromptUsed,
  figures: [],
  answer: turn.answer,
  sources_footer: '',
  reprompt: null,
  fields: null,
});

interface OriginResult {
  readonly unsourced: number;
  readonly footer: string;
}

/**
 * The result of the origin, as sent with the relay; null if there is none, in which case the answer
 * is checked here.
 */
function originResult(relayedFrom: unknown): OriginResult | null {
  if (typeof relayedFrom !== 'object' || relayedFrom === null) return null;
  const integrity =
    'integrity' in relayedFrom && typeof relayedFrom.integrity === 'object'
      ? relayedFrom.integrity
      : relayedFrom;
  if (integrity === null || typeof integrity !== 'object') return null;
  const unsourced =
    'unsourced' in integrity
      ? integrity.unsourced
      : 'integrity_unsourced' in integrity
        ? integrity.integrity_unsourced
        : undefined;
  if (typeof unsourced !== 'number' || !Number.isInteger(unsourced) || unsourced < 0) return null;
  return {
    unsourced,
    footer:
      'sources_footer' in integrity && typeof integrity.sources_footer === 'string'
        ? integrity.sources_footer
        : '',
  };
}
