'use client';

import { useState } from 'react';
import { Button } from '@/app/_ui/button';
import { FieldError } from '@/app/_ui/field';
import { postSignIn } from '../post-sign-in';

/** `next` is already known to be a path of this site. */
export function PasskeyButton({ next }: { next: string }) {
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const signIn = async () => {
    setBusy(true);
    setProblem(null);
    const fault = await signInByPasskey();
    if (fault === null) {
      window.location.assign(next);
      return;
    }
    setProblem(fault);
    setBusy(false);
  };
  return (
    <div className="grid gap-2">
      <Button busy={busy} onClick={() => void signIn()}>
        Use a passkey
      </Button>
      <FieldError text={problem} />
    </div>
  );
}

/** @returns null, or why the sign-in failed */
async function signInByPasskey(): Promise<string | null> {
  const offered = await postSignIn('/api/auth/passkeys/sign-in-options', {}, 'passkey');
  if (!offered.ok) return offered.message;
  try {
    // Only those who use a passkey load it.
    const { startAuthentication } = await import('@simplewebauthn/browser');
    const response = await startAuthentication({
      optionsJSON: offered.body as unknown as Parameters<
        typeof startAuthentication
      >[0]['optionsJSON'],
    });
    const answer = await postSignIn('/api/auth/passkeys/sign-in', { response }, 'passkey');
    return answer.ok ? null : answer.message;
  } catch {
    return 'The browser did not return a passkey. Try again, or use your password.';
  }
}
