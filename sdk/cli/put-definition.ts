import { parseObject, readError } from '../client/read-reply';
import type { Api } from './api';
import { asSentence, CliFailure, withRemark } from './failure';
import { type Definition, placeWithLine } from './read-definitions';
import { isRecord } from './stored-verifiers';
import { plain } from './terminal';

/** A fault of a definition that the server found. */
export interface DefinitionFault {
  readonly file: string;
  readonly slug: string;
  readonly line: number;
  /** The member: `judge.prompt`; empty if the fault is of the whole. */
  readonly path: string;
  /** One sentence that begins with file, line and member. */
  readonly message: string;
}

export type PutReply =
  | { readonly reply: Readonly<Record<string, unknown>> }
  | { readonly faults: readonly DefinitionFault[] };

/**
 * Sends a definition.
 * @throws CliFailure if the server refuses the key or does not answer
 */
export async function putDefinition(
  api: Api,
  definition: Definition,
  query: Readonly<Record<string, string | undefined>>,
): Promise<PutReply> {
  const path = `/v1/verifiers/${definition.slug}`;
  const { status, text } = await api.callRaw(path, {
    method: 'PUT',
    query,
    body: JSON.stringify(definition.body),
  });
  const reply = parseObject(text);
  if (status >= 200 && status <= 299 && reply !== null) return { reply };
  if (![400, 409, 413, 422].includes(status))
    throw new CliFailure(withRemark(readError(text, status).message, `${status} at ${path}`));
  return { faults: readFaults(definition, text, status) };
}

function readFaults(definition: Definition, text: string, status: number): DefinitionFault[] {
  const error = parseObject(text)?.error;
  const details = isRecord(error) && Array.isArray(error.details) ? error.details : [];
  const listed = details.filter(isRecord).map(({ path, message }) => ({
    path: typeof path === 'string' ? path : '',
    message: String(message),
  }));
  const faults = listed.length > 0 ? listed : [{ path: '', ...readError(text, status) }];
  const { slug, file } = definition;
  return faults.map(({ path, message }) => {
    // `checks[1].check`, which the message names too.
    const member = path.replaceAll(/\[(\d+)\]/g, '.$1');
    const sentence = path === '' || message.includes(path) ? message : `${path}: ${message}`;
    return {
      file,
      slug,
      line: definition.lineOf(member),
      path,
      message: plain(asSentence(`${placeWithLine(definition, member)}: ${sentence}`)),
    };
  });
}
