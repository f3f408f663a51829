'use client';

import { postSignIn } from './post-sign-in';

/** `needsCode`: the password was right, and a code of the second step is required next. */
export type SignInResult =
  | { readonly ok: true; readonly needsCode: boolean }
  | { readonly ok: false; readonly message: string };

export async function signInByPassword(email: string, password: string): Promise<SignInResult> {
  const answer = await postSignIn('/api/auth/sign-in/email', { email, password }, 'password');
  if (answer.ok) return { ok: true, needsCode: answer.body.needsCode === true };
  if (answer.code === 'PASSWORDS_OFF')
    return {
      ok: false,
      message: 'Passwords are switched off for this account. Use single sign-on.',
    };
  return { ok: false, message: isRefusal(answer.status) ? refusal : answer.message };
}

const refusal = 'Email or password is wrong.';
const isRefusal = (status: number): boolean => status === 400 || status === 401;
