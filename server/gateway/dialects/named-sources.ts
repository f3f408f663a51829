import type { SourceSettings } from '../../domain';
import { namedBlocks } from '../../evaluators/sources';
import type { Dialect, ReadRequest } from './dialect';

/**
 * Parses a request, including the parts of its messages that a route declares as sources. Null if
 * it is not a request of this API.
 */
export function readWithSources(
  dialect: Dialect,
  body: Buffer,
  settings: SourceSettings,
): ReadRequest | null {
  const { documents: includesDocuments, earlier_messages: earlier } = settings;
  const read = dialect.readRequest(body, earlier);
  if (read === null) return null;
  const documents = includesDocuments
    ? read.documents.filter((document) => earlier || !document.earlier)
    : [];
  return {
    ...read,
    context: [
      ...namedBlocks(read.messages, settings),
      ...documents.map(({ id, text }) => ({ id, text })),
    ],
  };
}
