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
 * Reads a stored turn (online.md 2). Incoming traffic without any source has no subject
 * (`no_sources`), since its figures cannot be traced. If integrity is disabled, the answer passes
 * unchecked (INT-11). An answer that the relaying instance has verified is not verified again
 * (INT-15).
 */
export const integrityFromTurn: TurnReader<IntegritySubject, IntegrityConfig> = {
  read(turn, { config, disabledBy, isHandedOver }) {
    if (disabledBy !== null) return disabledRead(turn, disabledBy);
    const relayed = relayedResult(turn.relayedFrom);
    if (relayed !== null) return relayedRead(turn, relayed);
    const subject = integritySubject(turn);
    const hasSources =
      subject.sources.length > 0 || (config.allow_user_figures && subject.userText.length > 0);
    return hasSources || isHandedOver
      ? { state: 'read', subject }
      : { state: 'no_subject', reason: 'no_sources' };
  },
};

type Skipped = Extract<TurnRead<IntegritySubject>, { state: 'skipped' }>;

function disabledRead(turn: TurnContent, disabledBy: 'environment' | 'project'): Skipped {
  const where =
    disabledBy === 'environment'
      ? 'by the environment (ASSAY_AI_INTEGRITY)'
      : 'in the project settings';
  return {
    state: 'skipped',
    decision: { state: 'blocked', reason: `integrity is switched off ${where}` },
    detail: uncheckedDetail(turn),
  };
}

function relayedRead(turn: TurnContent, { unsourced, footer }: RelayedResult): Skipped {
  return {
    state: 'skipped',
    decision: { state: 'duplicate', reason: 'already verified by the relaying instance' },
    detail: { ...uncheckedDetail(turn), unsourced, sources_footer: footer },
  };
}

/** The detail of an answer that was not checked: no figures, and the answer as received. */
const uncheckedDetail = (turn: TurnContent): IntegrityDetail => ({
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

interface RelayedResult {
  readonly unsourced: number;
  readonly footer: string;
}

/**
 * The result that the relaying instance sent with the answer. Null if there is none: the answer is
 * then verified here.
 */
function relayedResult(relayedFrom: unknown): RelayedResult | null {
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
