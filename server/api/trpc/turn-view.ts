import type { StoredTurn } from '../../ingest';

/** A turn in the console's shape: its JSON parts as text, as sent. */
export function asTurn(turn: StoredTurn & { readonly hasOriginal: boolean }) {
  return {
    id: turn.id,
    sessionId: turn.sessionId,
    traceId: turn.traceId,
    model: turn.model,
    costUsd: turn.costUsd,
    costBasis: turn.costBasis,
    source: turn.source,
    startedAt: turn.startedAt,
    endedAt: turn.endedAt,
    receivedAt: turn.receivedAt,
    revision: turn.revision,
    flags: turn.flags,
    hasOriginal: turn.hasOriginal,
    input: turn.content.input,
    tools: turn.content.tools,
    context: turn.content.context,
    output: turn.content.output,
    relayedFrom:
      turn.content.relayedFrom === null ? null : JSON.stringify(turn.content.relayedFrom),
    tags: turn.content.tags,
    metadata: turn.content.metadata,
    /** The gateway's record of the call; null for turns that did not come through it. */
    gateway: turn.content.gateway,
  };
}
