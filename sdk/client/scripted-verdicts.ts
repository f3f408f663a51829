import { type Assay, type AssayOptions, createAssay } from './index';

/** A client for tests whose server answers each call from a script. */

export interface SentCall {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A response by status and body; an error is a broken connection. */
export type Answer = { readonly status: number; readonly body: unknown } | Error;

export function scriptedClient(
  answer: (call: SentCall) => Answer,
  options: AssayOptions = {},
): { assay: Assay; sent: SentCall[] } {
  const sent: SentCall[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const path = new URL(input instanceof Request ? input.url : input).pathname;
    const call = {
      path,
      body: JSON.parse(typeof init?.body === 'string' ? init.body : '{}') as Record<
        string,
        unknown
      >,
    };
    sent.push(call);
    const reply = answer(call);
    if (reply instanceof Error) throw reply;
    return new Response(JSON.stringify(reply.body), { status: reply.status });
  };
  const assay = createAssay({
    url: 'http://127.0.0.1:1',
    key: 'asy_test',
    fetch,
    flushOnExit: false,
    backoffMs: 1,
    maxBackoffMs: 1,
    ...options,
  });
  return { assay, sent };
}

const outcomes: ReadonlyMap<string, string> = new Map([
  ['PASS', 'passed'],
  ['RETRY', 'failed'],
  ['FAIL', 'failed'],
  ['inconclusive', 'inconclusive'],
]);

/** A settled verdict of a kind, with the members of that kind. */
export function verdictOf(
  kind: string,
  verdict: string,
  detail: Readonly<Record<string, unknown>> = {},
): Answer {
  const feedback = verdict === 'RETRY' ? 'PREVIOUS ATTEMPT FEEDBACK:\ntoo thin' : null;
  const body = {
    id: 'ver_1',
    kind,
    state: 'settled',
    outcome: outcomes.get(verdict),
    verdict: verdict === 'inconclusive' ? null : verdict,
    action: verdict === 'PASS' ? 'accept' : verdict === 'RETRY' ? 'retry' : 'reject',
    feedback,
    [kind.replace('-', '_')]: { retry_feedback: feedback, ...detail },
  };
  return { status: 200, body };
}
