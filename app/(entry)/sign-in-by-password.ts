'use client';

export type SignInResult = { readonly ok: true } | { readonly ok: false; readonly message: string };

export async function signInByPassword(email: string, password: string): Promise<SignInResult> {
  try {
    const response = await fetch('/api/auth/sign-in/email', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    if (response.ok) return { ok: true };
    if (response.status === 429)
      return { ok: false, message: tooMany(Number(response.headers.get('retry-after'))) };
    if (response.status === 403)
      return {
        ok: false,
        message:
          'This is not the address that the console is set up for (ASSAY_WEB_URL). Open it there.',
      };
    if (response.status >= 500)
      return { ok: false, message: 'The server could not check the password. Try again.' };
    return { ok: false, message: await refusalOf(response) };
  } catch {
    return {
      ok: false,
      message: 'The server did not answer. Check the connection, then try again.',
    };
  }
}

function tooMany(seconds: number): string {
  if (seconds < 60) return 'Many people are signing in right now. Try again in a few seconds.';
  return `Too many attempts. Try again in ${Math.ceil(seconds / 60)} min.`;
}

async function refusalOf(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => null);
  const isOff =
    typeof body === 'object' && body !== null && 'code' in body && body.code === 'PASSWORDS_OFF';
  return isOff
    ? 'Passwords are switched off for this account. Use single sign-on.'
    : 'Email or password is wrong.';
}
