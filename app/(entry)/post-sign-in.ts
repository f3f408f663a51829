'use client';

export type Answer =
  | { readonly ok: true; readonly body: Readonly<Record<string, unknown>> }
  | {
      readonly ok: false;
      readonly status: number;
      readonly code: string;
      readonly message: string;
    };

/**
 * Posts to the routes of sign-in, which are not part of tRPC since they set cookies.
 * @param what the thing to check, as in "The server could not check the code."
 */
export async function postSignIn(path: string, body: object, what: string): Promise<Answer> {
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const read = membersOf(await response.json().catch(() => null));
    if (response.ok) return { ok: true, body: read };
    const { status } = response;
    const fault = (message: string): Answer => ({
      ok: false,
      status,
      code: textOf(read.code) ?? '',
      message,
    });
    if (status === 429) return fault(rateLimitText(Number(response.headers.get('retry-after'))));
    if (status === 403)
      return fault(
        'This is not the address that the console is set up for (ASSAY_WEB_URL). Open it there.',
      );
    if (status >= 500) return fault(`The server could not check the ${what}. Try again.`);
    return fault(textOf(read.message) ?? `The ${what} is wrong.`);
  } catch {
    return {
      ok: false,
      status: 0,
      code: '',
      message: 'The server did not answer. Check the connection, then try again.',
    };
  }
}

function rateLimitText(seconds: number): string {
  if (seconds < 60) return 'Many people are signing in right now. Try again in a few seconds.';
  return `Too many attempts. Try again in ${Math.ceil(seconds / 60)} min.`;
}

const membersOf = (body: unknown): Readonly<Record<string, unknown>> =>
  typeof body === 'object' && body !== null ? Object.fromEntries(Object.entries(body)) : {};

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
