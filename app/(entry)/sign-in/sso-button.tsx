'use client';

import { useState } from 'react';
import { Button } from '@/app/_ui/button';
import { FieldError } from '@/app/_ui/field';

interface SsoButtonProps {
  /** The provider's name. */
  name: string;
  /** A path of this site. */
  next: string;
  problem: string | null;
}

/** Leads to the operator's provider, and shows why the last attempt failed. */
export function SsoButton({ name, next, problem }: SsoButtonProps) {
  const [failed, setFailed] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const start = async () => {
    setBusy(true);
    const started = await startSignIn(next);
    if ('url' in started) {
      window.location.assign(started.url);
      return;
    }
    setFailed(started.message);
    setBusy(false);
  };
  return (
    <div className="grid gap-2">
      <FieldError text={failed ?? problem} />
      <Button variant="primary" busy={busy} onClick={() => void start()}>
        {`Sign in with ${name}`}
      </Button>
    </div>
  );
}

async function startSignIn(
  next: string,
): Promise<{ readonly url: string } | { readonly message: string }> {
  try {
    const response = await fetch('/api/auth/sign-in/sso', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ next }),
    });
    const body = (await response.json()) as { url?: string; message?: string };
    if (response.ok && body.url !== undefined) return { url: body.url };
    return { message: body.message ?? 'Single sign-on failed. Try again.' };
  } catch {
    return { message: 'The server did not answer. Check the connection, then try again.' };
  }
}
