import type { Source, TurnContent } from '../../domain';
import type { IntegrityConfig } from './config';
import type { IntegritySubject } from './subject';

/**
 * The subject of a stored turn. Tool messages of earlier turns in `input` are no sources (INT-2).
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
 * An answer that came without any source has nothing to be traced to (online.md 2): `no_sources`,
 * else null.
 */
export function absentSources(
  { sources, userText }: IntegritySubject,
  { allow_user_figures: usersCount }: Pick<IntegrityConfig, 'allow_user_figures'>,
): string | null {
  const hasOwn = sources.length > 0 || (usersCount && userText.length > 0);
  return hasOwn ? null : 'no_sources';
}
